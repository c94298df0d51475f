import { z } from "zod";
import { operation } from "@/lib/operations/operation";
import { roleSchema } from "@/lib/schemas/account";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { addMember, type MemberRejection, removeMember, setRole } from "@/lib/store/people/members";
import { personAt } from "./people";
import { workspaceWith } from "./workspaces";

const membershipSchema = z.strictObject({ workspace: z.string(), email: z.string() });
const memberSchema = membershipSchema.extend({ role: roleSchema });

const REJECTIONS = {
  no_member: "is not a member of the workspace. List members with: parquetry workspace show <id>",
  last_owner: "is the last owner. Make another member an owner first.",
  personal: "cannot leave a personal workspace.",
  from_provider: "is a member by the groups of an identity provider.",
} as const satisfies Record<MemberRejection, string>;

/** Adds a person to a workspace, with a role. */
export const addToWorkspace = operation({
  name: "add_member",
  summary: "Add a member",
  description: "Adds a person who has an account as a member.",
  access: "operator",
  quota: "none",
  input: {
    body: membershipSchema.extend({ role: roleSchema.default("member").describe("owner or member (default)") }),
  },
  output: memberSchema,
  async run({ body: { workspace, email, role } }) {
    const { id, personal } = await workspaceWith(workspace);
    const person = await personAt(email);
    if (personal)
      throw new Error("A personal workspace cannot have other members. First run: parquetry workspace create");
    if (!(await addMember(id, person.id, role, ADMINISTRATOR)))
      throw new Error(`${person.email} is already a member. Change the role with: parquetry member role`);
    return { workspace: id, email: person.email, role };
  },
  cli: { usage: "member add <workspace> <email>" },
});

/** Gives a member another role. */
export const changeRole = operation({
  name: "change_role",
  summary: "Change a member's role",
  description: "Changes a member's role.",
  access: "operator",
  quota: "none",
  input: { body: memberSchema },
  output: memberSchema,
  async run({ body: { workspace, email, role } }) {
    const { id } = await workspaceWith(workspace);
    const person = await personAt(email);
    const rejection = await setRole(id, person.id, role, ADMINISTRATOR);
    if (rejection) throw new Error(`${person.email} ${REJECTIONS[rejection]}`);
    return { workspace: id, email: person.email, role };
  },
  cli: { usage: "member role <workspace> <email> <role>" },
});

/** Removes a member, from their next request on; the keys that they created in the workspace are revoked. */
export const removeFromWorkspace = operation({
  name: "drop_member",
  summary: "Remove a member",
  description: "Removes a member. Takes effect on their next request; keys they created in the workspace are revoked.",
  access: "operator",
  quota: "none",
  input: { body: membershipSchema },
  output: membershipSchema.extend({ status: z.literal("removed") }),
  async run({ body: { workspace, email } }) {
    const { id } = await workspaceWith(workspace);
    const person = await personAt(email);
    const rejection = await removeMember(id, person.id, ADMINISTRATOR);
    if (rejection) throw new Error(`${person.email} ${REJECTIONS[rejection]}`);
    return { workspace: id, email: person.email, status: "removed" as const };
  },
  cli: { usage: "member remove <workspace> <email>" },
});
