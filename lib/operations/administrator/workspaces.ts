import { z } from "zod";
import { isUuid } from "@/lib/kernel/uuid";
import { operation } from "@/lib/operations/operation";
import { planSchema, roleSchema, subscriptionSchema, workspaceNameSchema } from "@/lib/schemas/account";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { listMembers } from "@/lib/store/people/members";
import { createWorkspace, findWorkspace, listWorkspaces, setPlan } from "@/lib/store/people/workspaces";
import { personAt } from "./people";

const workspaceSchema = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  personal: z.boolean(),
  plan: planSchema,
  subscription: subscriptionSchema.nullable(),
  members: z.int(),
  created_at: z.iso.datetime(),
});

type Workspace = Awaited<ReturnType<typeof listWorkspaces>>[number];

/** Every workspace. */
export const listAllWorkspaces = operation({
  name: "list_workspaces",
  summary: "List workspaces",
  description: "Lists all workspaces.",
  access: "operator",
  quota: "none",
  input: {},
  output: z.array(workspaceSchema),
  run: async () => (await listWorkspaces()).map(present),
  cli: { usage: "workspace list" },
});

const present = ({ id, name, personal, plan, subscription, members, createdAt }: Omit<Workspace, "role">) => ({
  id,
  name,
  personal,
  plan,
  subscription,
  members,
  created_at: createdAt.toISOString(),
});

/** The workspace with this id; throws with what to do. */
export async function workspaceWith(id: string): Promise<Omit<Workspace, "role">> {
  const workspace = isUuid(id) ? await findWorkspace(id) : undefined;
  if (!workspace) throw new Error(`Unknown workspace: ${id}. List workspaces with: parquetry workspace list`);
  return workspace;
}

const shownSchema = workspaceSchema.extend({
  billed_by: z.enum(["stripe", "operator"]),
  people: z.array(
    z.strictObject({
      user_id: z.uuid(),
      email: z.string(),
      name: z.string().nullable(),
      role: roleSchema,
      joined_at: z.iso.datetime(),
    }),
  ),
});
type Shown = z.output<typeof shownSchema>;

/** A workspace with its members. */
export const showWorkspace = operation({
  name: "show_workspace",
  summary: "Show a workspace",
  description: "Shows a workspace and its members.",
  access: "operator",
  quota: "none",
  input: { body: z.strictObject({ id: z.string() }) },
  output: shownSchema,
  async run({ body: { id } }): Promise<Shown> {
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
  },
  cli: {
    usage: "workspace show <id>",
    view: ({ people, ...workspace }: Shown) => ({ record: workspace, tables: [people] }),
  },
});

/** Creates a workspace for a person who has an account. */
export const newWorkspace = operation({
  name: "add_workspace",
  summary: "Create a workspace",
  description: "Creates a workspace.",
  access: "operator",
  quota: "none",
  input: {
    body: z.strictObject({
      name: workspaceNameSchema.describe("its name"),
      owner: z.string().min(1).describe("the owner's email address; the account must exist"),
    }),
  },
  output: z.strictObject({ id: z.uuid(), name: z.string(), owner: z.string() }),
  async run({ body: { name, owner } }) {
    const person = await personAt(owner);
    return { id: await createWorkspace(name, person.id, ADMINISTRATOR), name, owner: person.email };
  },
  cli: { usage: "workspace create", valueNames: { owner: "email" } },
});

const PLAN_HELP = `
If Stripe bills the workspace, Stripe's next event overwrites this setting.

  parquetry workspace plan 6d6f0a52-… paid
  parquetry workspace plan 6d6f0a52-… paid --subscription past_due`;

/** Sets plan and subscription. By default a paid plan is active, and a free one has no subscription. */
export const changePlan = operation({
  name: "change_plan",
  summary: "Change a workspace's plan",
  description: "Sets the plan (free or paid) and the subscription state.",
  access: "operator",
  quota: "none",
  input: {
    body: z.strictObject({
      id: z.string(),
      plan: planSchema,
      subscription: subscriptionSchema
        .optional()
        .describe("active, past_due or canceled (default: active for the paid plan, none for the free plan)"),
    }),
  },
  output: z.strictObject({
    id: z.string(),
    from: z.string(),
    plan: planSchema,
    subscription: subscriptionSchema.nullable(),
  }),
  async run({ body: { id, plan, subscription } }, ctx) {
    const before = await workspaceWith(id);
    const to = { plan, subscription: subscription ?? (plan === "paid" ? ("active" as const) : null) };
    await setPlan(id, to, ctx.now(), ADMINISTRATOR);
    return { id, from: `${before.plan} ${before.subscription ?? ""}`.trim(), ...to };
  },
  cli: { usage: "workspace plan <id> <plan>", valueNames: { subscription: "state" }, help: PLAN_HELP },
});
