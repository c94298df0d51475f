import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { membershipOf, personOf } from "@/lib/access/authorize";
import { presentWorkspaces } from "@/lib/describe/present-workspace";
import { fail } from "@/lib/kernel/errors";
import { operation } from "@/lib/operations/operation";
import { done, doneSchema, workspaceNameSchema, workspaceSchema } from "@/lib/schemas/account";
import { workspacePathSchema } from "@/lib/schemas/workspace";
import { createWorkspace as make, renameWorkspace as rename } from "@/lib/store/workspaces";

const WORKSPACES_MAX = 50;
const bodySchema = z.strictObject({ name: workspaceNameSchema });
const madeSchema = z
  .object({ schema_version: z.literal("service-workspace.v1"), workspace: workspaceSchema })
  .meta({ id: "WorkspaceReply" });

/** POST a name: a workspace that the person owns. */
export const createWorkspace = operation({
  name: "create_workspace",
  summary: "Create a workspace",
  description: "The person who creates it is its owner. It starts on the free plan.",
  access: "account",
  quota: "account",
  http: { method: "POST", path: "/api/account/workspaces", status: 201 },
  input: { body: bodySchema },
  output: madeSchema,
  errors: ["invalid_value", "conflict"],
  async run({ body }, ctx) {
    const { userId } = personOf(ctx);
    return presentOne(await make(body.name, userId, authorOf(ctx), WORKSPACES_MAX), userId, ctx.now());
  },
});

/** GET one workspace. */
export const getWorkspace = operation({
  name: "get_workspace",
  summary: "Get a workspace",
  description: "Name, plan, subscription and the caller's role.",
  access: "member",
  quota: "account",
  http: { method: "GET", path: "/api/account/workspaces/{workspace_id}" },
  input: { path: workspacePathSchema },
  output: madeSchema,
  run: (_input, ctx) => presentOne(membershipOf(ctx).workspaceId, personOf(ctx).userId, ctx.now()),
});

/** PATCH a workspace's name. */
export const renameWorkspace = operation({
  name: "rename_workspace",
  summary: "Rename a workspace",
  description: "For owners.",
  access: "owner",
  quota: "account",
  http: { method: "PATCH", path: "/api/account/workspaces/{workspace_id}" },
  input: { path: workspacePathSchema, body: bodySchema },
  output: doneSchema,
  errors: ["invalid_value"],
  async run({ body }, ctx) {
    await rename(membershipOf(ctx).workspaceId, body.name, authorOf(ctx));
    return done("renamed");
  },
});

async function presentOne(id: string, userId: string, now: Date): Promise<z.output<typeof madeSchema>> {
  const workspace = (await presentWorkspaces(userId, now)).find((entry) => entry.id === id);
  if (!workspace) throw fail("not_found");
  return { schema_version: "service-workspace.v1", workspace };
}
