import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { membershipOf, personOf } from "@/lib/access/authorize";
import { takeMail } from "@/lib/access/quotas";
import { newToken, tokenHash } from "@/lib/auth/one-time-token";
import { fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { canMail, sendMail } from "@/lib/mail/mailer";
import { invitationMail } from "@/lib/mail/messages";
import { operation } from "@/lib/operations/operation";
import { done, doneSchema, emailSchema, roleSchema, tokenSchema } from "@/lib/schemas/account";
import {
  type Invitations,
  invitationsSchema,
  invitedToSchema,
  newInvitationSchema,
  workspacePathSchema,
} from "@/lib/schemas/workspace";
import {
  acceptInvitation as accept,
  createInvitation,
  findInvitation,
  listInvitations as findInvitations,
  revokeInvitation as revoke,
} from "@/lib/store/people/invitations";
import { findWorkspace } from "@/lib/store/people/workspaces";

const LASTS_MS = 7 * 86_400_000;
const OPEN_MAX = 100;
const inviteBodySchema = z.strictObject({
  role: roleSchema.default("member"),
  email: emailSchema.optional().describe("Email address to send the link to, if the service can send email."),
});
const tokenBodySchema = z.strictObject({ token: tokenSchema });
const invitationPathSchema = workspacePathSchema.extend({
  invitation_id: z.string().describe("The invitation's UUID."),
});
const acceptedSchema = z
  .object({ schema_version: z.literal("service-accepted.v1"), workspace_id: z.uuid() })
  .meta({ id: "Accepted" });

/** GET the open invitations. */
export const listInvitations = operation({
  name: "list_invitations",
  summary: "List open invitations",
  description: "For owners. The links themselves are shown only when they are created.",
  access: "owner",
  quota: "account",
  http: { method: "GET", path: "/api/account/workspaces/{workspace_id}/invitations" },
  input: { path: workspacePathSchema },
  output: invitationsSchema,
  async run(_input, ctx): Promise<Invitations> {
    const invitations = await findInvitations(membershipOf(ctx).workspaceId, ctx.now());
    return {
      schema_version: "service-invitations.v1",
      invitations: invitations.map(({ id, role, email, invitedBy, createdAt, expiresAt }) => ({
        id,
        role,
        email,
        invited_by: invitedBy,
        created_at: createdAt.toISOString(),
        expires_at: expiresAt.toISOString(),
      })),
    };
  },
});

/** POST an invitation: a link that makes one person a member. */
export const inviteMember = operation({
  name: "invite_member",
  summary: "Invite someone to a workspace",
  description:
    "For owners. Creates a single-use link, valid for a week. With an email address, the link is also emailed if " +
    "the service can send email. Personal workspaces cannot have other members.",
  access: "owner",
  quota: "account",
  http: { method: "POST", path: "/api/account/workspaces/{workspace_id}/invitations", status: 201 },
  input: { path: workspacePathSchema, body: inviteBodySchema },
  output: newInvitationSchema,
  errors: ["invalid_value", "conflict", "daily_quota_exhausted"],
  async run({ body }, ctx) {
    const { workspaceId } = membershipOf(ctx);
    const { userId, email: inviter } = personOf(ctx);
    // members of it could neither leave nor be removed
    if ((await findWorkspace(workspaceId))?.personal)
      throw fail("conflict", {
        message: "A personal workspace cannot have other members. Create another workspace to share.",
      });
    const mailed = body.email !== undefined && canMail();
    if (mailed) await takeMail(body.email ?? "", ctx);
    const token = newToken();
    const hash = tokenHash(token) as Uint8Array<ArrayBuffer>;
    const expiresAt = new Date(ctx.now().getTime() + LASTS_MS);
    const url = `${ctx.baseUrl}/invitation#token=${token}`;
    const invitation = {
      workspaceId,
      role: body.role,
      email: body.email ?? null,
      hash,
      invitedById: userId,
      expiresAt,
    };
    const created = await createInvitation(invitation, { most: OPEN_MAX, now: ctx.now() }, authorOf(ctx));
    if (mailed) mailInvitation(body.email ?? "", workspaceId, inviter, url).catch(ctx.onBackgroundError);
    return {
      schema_version: "service-invitation.v1" as const,
      invitation: {
        id: created.id,
        role: body.role,
        email: body.email ?? null,
        invited_by: inviter,
        created_at: created.createdAt.toISOString(),
        expires_at: expiresAt.toISOString(),
      },
      url,
      mailed,
    };
  },
});

async function mailInvitation(to: string, workspaceId: string, inviter: string, url: string): Promise<void> {
  const workspace = await findWorkspace(workspaceId);
  if (workspace) await sendMail(invitationMail(to, workspace.name, inviter, url));
}

/** DELETE an invitation. */
export const revokeInvitation = operation({
  name: "revoke_invitation",
  summary: "Revoke an invitation",
  description: "For owners. The link stops working.",
  access: "owner",
  quota: "account",
  http: { method: "DELETE", path: "/api/account/workspaces/{workspace_id}/invitations/{invitation_id}" },
  input: { path: invitationPathSchema },
  output: doneSchema,
  async run({ path }, ctx) {
    const { workspaceId } = membershipOf(ctx);
    if (!isUuid(path.invitation_id) || !(await revoke(workspaceId, path.invitation_id, authorOf(ctx))))
      throw fail("not_found");
    return done("revoked");
  },
});

const badLink = () =>
  fail("not_found", { message: "This invitation has been used, was revoked or has expired. Ask for a new one." });

const hashOf = (token: string) => {
  const hash = tokenHash(token);
  if (!hash) throw badLink();
  return hash;
};

/** POST the token of an invitation: what it invites to. */
export const readInvitation = operation({
  name: "read_invitation",
  summary: "Get an invitation",
  description: "The workspace, the role and the inviter, for anyone with the link.",
  access: "visitor",
  quota: "catalogue",
  http: { method: "POST", path: "/api/account/invitation" },
  input: { body: tokenBodySchema },
  output: invitedToSchema,
  errors: ["not_found"],
  async run({ body }, ctx) {
    const found = await findInvitation(hashOf(body.token), ctx.now());
    if (!found) throw badLink();
    return {
      schema_version: "service-invited-to.v1" as const,
      workspace: { name: found.workspaceName },
      role: found.role,
      invited_by: found.invitedBy,
    };
  },
});

/** POST the token of an invitation: the signed-in person becomes a member. */
export const acceptInvitation = operation({
  name: "accept_invitation",
  summary: "Accept an invitation",
  description: "Accepts an invitation: the signed-in person becomes a member. The link can be used once.",
  access: "account",
  quota: "account",
  http: { method: "POST", path: "/api/account/invitation/accept" },
  input: { body: tokenBodySchema },
  output: acceptedSchema,
  errors: ["not_found"],
  async run({ body }, ctx) {
    const workspaceId = await accept(hashOf(body.token), personOf(ctx).userId, authorOf(ctx), ctx.now());
    if (!workspaceId) throw badLink();
    return { schema_version: "service-accepted.v1" as const, workspace_id: workspaceId };
  },
});
