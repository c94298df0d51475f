import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { membershipOf, personOf } from "@/lib/access/authorize";
import { fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { operation } from "@/lib/operations/operation";
import { done, doneSchema, roleSchema } from "@/lib/schemas/account";
import { type Members, membersSchema, workspacePathSchema } from "@/lib/schemas/workspace";
import {
  listMembers as findMembers,
  type MemberRejection,
  removeMember as remove,
  setRole,
} from "@/lib/store/people/members";

const memberPathSchema = workspacePathSchema.extend({ user_id: z.string().describe("The member's UUID.") });
const roleBodySchema = z.strictObject({ role: roleSchema });

const REJECTIONS = {
  last_owner: "A workspace must have an owner. Make another member an owner first.",
  personal: "You cannot leave a personal workspace.",
  from_provider: "This role comes from the person’s groups at the identity provider. Change their groups there.",
} as const;

function settle(rejection: MemberRejection | undefined): void {
  if (rejection === "no_member") throw fail("not_found");
  if (rejection) throw fail("conflict", { message: REJECTIONS[rejection] });
}

/** GET the members of a workspace. */
export const listMembers = operation({
  name: "list_members",
  summary: "List a workspace's members",
  description: "Owners first.",
  access: "member",
  quota: "account",
  http: { method: "GET", path: "/api/account/workspaces/{workspace_id}/members" },
  input: { path: workspacePathSchema },
  output: membersSchema,
  async run(_input, ctx): Promise<Members> {
    const members = await findMembers(membershipOf(ctx).workspaceId);
    return {
      schema_version: "service-members.v1",
      members: members.map(({ userId, email, name, role, provider, joinedAt }) => ({
        user_id: userId,
        email,
        name,
        role,
        provider,
        joined_at: joinedAt.toISOString(),
      })),
    };
  },
});

/** PATCH a member's role. */
export const setMemberRole = operation({
  name: "set_member_role",
  summary: "Change a member's role",
  description:
    "For owners. The last owner's role cannot be changed, nor one that an identity provider's groups gave: change " +
    "the groups there.",
  access: "owner",
  quota: "account",
  http: { method: "PATCH", path: "/api/account/workspaces/{workspace_id}/members/{user_id}" },
  input: { path: memberPathSchema, body: roleBodySchema },
  output: doneSchema,
  errors: ["conflict"],
  async run({ path, body }, ctx) {
    if (!isUuid(path.user_id)) throw fail("not_found");
    settle(await setRole(membershipOf(ctx).workspaceId, path.user_id, body.role, authorOf(ctx)));
    return done("changed");
  },
});

/** DELETE a member. */
export const removeMember = operation({
  name: "remove_member",
  summary: "Remove a member",
  description:
    "For owners. Takes effect on the person's next request. Keys they created in the workspace are revoked. Somebody " +
    "whom an identity provider's groups made a member returns at their next sign-in, unless their groups change.",
  access: "owner",
  quota: "account",
  http: { method: "DELETE", path: "/api/account/workspaces/{workspace_id}/members/{user_id}" },
  input: { path: memberPathSchema },
  output: doneSchema,
  errors: ["conflict"],
  async run({ path }, ctx) {
    if (!isUuid(path.user_id)) throw fail("not_found");
    settle(await remove(membershipOf(ctx).workspaceId, path.user_id, authorOf(ctx)));
    return done("removed");
  },
});

/** DELETE oneself from a workspace. */
export const leaveWorkspace = operation({
  name: "leave_workspace",
  summary: "Leave a workspace",
  description:
    "Keys the person created in the workspace are revoked. The last owner cannot leave, and nobody can leave their " +
    "personal " +
    "workspace.",
  access: "member",
  quota: "account",
  http: { method: "DELETE", path: "/api/account/workspaces/{workspace_id}/membership" },
  input: { path: workspacePathSchema },
  output: doneSchema,
  errors: ["conflict"],
  async run(_input, ctx) {
    settle(await remove(membershipOf(ctx).workspaceId, personOf(ctx).userId, authorOf(ctx)));
    return done("left");
  },
});
