import { userIdOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { canMail, sendMail } from "@/lib/mail/mailer";
import { approvalMail } from "@/lib/mail/messages";
import { builderAuthor, builderOf } from "@/lib/operations/datasets/builder";
import { type ApprovalQuestion, requestApproval } from "@/lib/store/approvals/approvals";
import { inBackground } from "@/lib/store/background";
import { listMembers } from "@/lib/store/people/members";

/** Requests an approval from people; those who can give it are notified by email, if email is set up. */
export async function requestHumanApproval(question: ApprovalQuestion, ctx: Context): Promise<void> {
  const { isNews } = await requestApproval(question, builderAuthor(ctx));
  if (isNews && canMail()) inBackground(mailPeople(question, ctx), ctx.onBackgroundError);
}

async function mailPeople({ run, kind, path, expiresAt }: ApprovalQuestion, ctx: Context): Promise<void> {
  const isAgent = builderOf(ctx).kind === "agent";
  const mayDecide = ({ role, userId }: { role: string; userId: string }) =>
    (kind === "run" || role === "owner") && (isAgent || userId !== userIdOf(ctx));
  const about = {
    title: run.dataset.title,
    asker: isAgent ? "A connected agent" : "A member of your workspace",
    decides: { run: "a full run", publish: "the publication", activate: "the activation" }[kind],
    expires: `${expiresAt.toISOString().slice(0, 16).replace("T", " ")} UTC`,
  };
  for (const { email } of (await listMembers(run.workspaceId)).filter(mayDecide))
    await sendMail(approvalMail(email, about, path));
}
