import { z } from "zod";
import { isUuid } from "@/lib/kernel/uuid";
import { planSchema, roleSchema, subscriptionSchema, workspaceNameSchema } from "@/lib/schemas/account";
import { OPERATOR } from "@/lib/store/audit";
import { addMember, listMembers, type MemberRefusal, removeMember, setRole } from "@/lib/store/members";
import { createWorkspace, findWorkspace, listWorkspaces, setPlan } from "@/lib/store/workspaces";
import { personAt } from "./people";

export const newWorkspaceSchema = z.strictObject({ name: workspaceNameSchema, owner: z.string().min(1) });
export const planChangeSchema = z.strictObject({
  workspace: z.string(),
  plan: planSchema,
  subscription: subscriptionSchema.optional(),
});
export const memberSchema = z.strictObject({ workspace: z.string(), email: z.string(), role: roleSchema });

type Workspace = Awaited<ReturnType<typeof listWorkspaces>>[number];

/** Every workspace. */
export const listAllWorkspaces = async () => (await listWorkspaces()).map(present);

const present = ({ id, name, personal, plan, subscription, members, createdAt }: Omit<Workspace, "role">) => ({
  id,
  name,
  personal,
  plan,
  subscription,
  members,
  created_at: createdAt.toISOString(),
});

/** The workspace with this id; throws in words that say what to do. */
export async function workspaceWith(id: string): Promise<Omit<Workspace, "role">> {
  const workspace = isUuid(id) ? await findWorkspace(id) : undefined;
  if (!workspace) throw new Error(`Unknown workspace: ${id}. List workspaces with: parquetry workspace list`);
  return workspace;
}

/** A workspace with its members. */
export async function showWorkspace(id: string) {
  const workspace = await workspaceWith(id);
  const people = await listMembers(id);
  return {
    ...present(workspace),
    billed_by: workspace.stripeSubscriptionId ? "stripe" : "operator",
    people: people.map(({ userId, email, name, role, joinedAt }) => ({
      user_id: userId,
      email,
      name,
      role,
      joined_at: joinedAt.toISOString(),
    })),
  };
}

/** Makes a workspace for a person who has an account. */
export async function newWorkspace({
  name,
  owner,
}: z.output<typeof newWorkspaceSchema>): Promise<{ id: string; name: string; owner: string }> {
  const person = await personAt(owner);
  return { id: await createWorkspace(name, person.id, OPERATOR), name, owner: person.email };
}

/**
 * Sets plan and subscription. A paid plan is active, and a free one has no subscription, where nothing else is said.
 */
export async function changePlan({ workspace, plan, subscription }: z.output<typeof planChangeSchema>) {
  const before = await workspaceWith(workspace);
  const to = { plan, subscription: subscription ?? (plan === "paid" ? ("active" as const) : null) };
  await setPlan(workspace, to, OPERATOR);
  return { id: workspace, from: `${before.plan} ${before.subscription ?? ""}`.trim(), ...to };
}

const REFUSALS = {
  no_member: "is not a member of the workspace. List members with: parquetry workspace show <id>",
  last_owner: "is the last owner. Make another member an owner first.",
  personal: "cannot leave a personal workspace.",
} as const satisfies Record<MemberRefusal, string>;

/** Adds a person to a workspace, with a role. */
export async function addToWorkspace({ workspace, email, role }: z.output<typeof memberSchema>) {
  const { id, personal } = await workspaceWith(workspace);
  const person = await personAt(email);
  if (personal)
    throw new Error("A personal workspace cannot have other members. First run: parquetry workspace create");
  if (!(await addMember(id, person.id, role, OPERATOR)))
    throw new Error(`${person.email} is already a member. Change the role with: parquetry member role`);
  return { workspace: id, email: person.email, role };
}

/** Gives a member another role. */
export async function changeRole({ workspace, email, role }: z.output<typeof memberSchema>) {
  const { id } = await workspaceWith(workspace);
  const person = await personAt(email);
  const refusal = await setRole(id, person.id, role, OPERATOR);
  if (refusal) throw new Error(`${person.email} ${REFUSALS[refusal]}`);
  return { workspace: id, email: person.email, role };
}

/** Makes a person nobody in a workspace, from their next request on; the keys that they made there are revoked. */
export async function removeFromWorkspace(workspace: string, email: string) {
  const { id } = await workspaceWith(workspace);
  const person = await personAt(email);
  const refusal = await removeMember(id, person.id, OPERATOR);
  if (refusal) throw new Error(`${person.email} ${REFUSALS[refusal]}`);
  return { workspace: id, email: person.email, status: "removed" };
}
