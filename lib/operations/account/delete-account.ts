import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { personOf } from "@/lib/access/authorize";
import { takeOwnPassword } from "@/lib/access/quotas";
import { verifyPassword } from "@/lib/auth/password";
import { fail, failWith } from "@/lib/kernel/errors";
import { operation } from "@/lib/operations/operation";
import { withTheirUploads } from "@/lib/operations/workspace/remove-uploads";
import { done, doneSchema } from "@/lib/schemas/account";
import { deletePerson, findPassword } from "@/lib/store/people/people";
import { type LeftBehind, leftBehind } from "./left-behind";

const bodySchema = z.strictObject({
  email: z.string().max(320).describe("The account's own address, typed to confirm."),
  password: z.string().max(1024).optional().describe("The current password; omitted if the account has none."),
});

/** POST the address and the password to delete one's own account permanently. */
export const deleteAccount = operation({
  name: "delete_account",
  summary: "Delete your account",
  description:
    "Permanently deletes the account with its sessions, keys and connections, and the workspaces that have no other " +
    "member. Rejected while such a workspace has datasets or a paid subscription, or while other members would be " +
    "left without an owner.",
  access: "account",
  quota: "account",
  http: { method: "POST", path: "/api/account/delete" },
  input: { body: bodySchema },
  output: doneSchema,
  errors: ["invalid_value", "conflict", "daily_quota_exhausted"],
  async run({ body }, ctx) {
    const { userId, email } = personOf(ctx);
    await takeOwnPassword(userId, ctx); // a stolen session must not be used to guess the password
    await confirmed(body, email);
    const left = await leftBehind(userId);
    const problems = problemsOf(left);
    if (problems.length > 0) throw fail("conflict", { message: problems.join(" ") });
    const orphaned = left.orphaned.map(({ id }) => id);
    await withTheirUploads(orphaned, () => deletePerson(userId, authorOf(ctx)));
    return done("deleted");
  },
});

async function confirmed(body: z.output<typeof bodySchema>, email: string): Promise<void> {
  const hash = (await findPassword(email))?.passwordHash;
  const isRight = !hash || (await verifyPassword(body.password ?? "", hash));
  if (!isRight)
    throw failWith([
      { pointer: "/password", code: "invalid_value", message: "The password is wrong. Enter your current password." },
    ]);
  if (body.email.trim().toLowerCase() !== email.toLowerCase())
    throw failWith([
      { pointer: "/email", code: "invalid_value", message: "Wrong address. Enter the address of this account." },
    ]);
}

/** What must be settled first, each with what to do. */
const problemsOf = ({ ownerless, orphaned }: LeftBehind): string[] => [
  ...ownerless.map(({ name }) => `You are the only owner of ${name}. Make another member an owner, or remove them.`),
  ...orphaned.flatMap(({ name, datasets, isBilled }) => [
    ...(datasets > 0 ? [`${name} has datasets. Delete them, or add a member and make them an owner.`] : []),
    ...(isBilled ? [`${name} has a paid subscription. Cancel it under Workspace.`] : []),
  ]),
];
