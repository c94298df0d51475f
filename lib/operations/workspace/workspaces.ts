import { z } from "zod";
import { authorOf } from "@/lib/access/author";
import { membershipOf, personOf } from "@/lib/access/authorize";
import { presentWorkspaces } from "@/lib/describe/present-workspace";
import { fail, failWith } from "@/lib/kernel/errors";
import { operation } from "@/lib/operations/operation";
import { done, doneSchema, workspaceNameSchema, workspaceSchema } from "@/lib/schemas/account";
import { workspacePathSchema } from "@/lib/schemas/workspace";
import {
  createWorkspace as make,
  deleteWorkspace as remove,
  renameWorkspace as rename,
  type Unsettled,
} from "@/lib/store/people/workspaces";
import { withTheirUploads } from "./remove-uploads";

const WORKSPACES_MAX = 50;
const bodySchema = z.strictObject({ name: workspaceNameSchema });
const createdSchema = z
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
  output: createdSchema,
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
  output: createdSchema,
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

const deletionSchema = z.strictObject({
  name: z.string().max(320).describe("The workspace's own name, typed to confirm."),
});

/** POST a workspace's name to delete it permanently. */
export const deleteWorkspace = operation({
  name: "delete_workspace",
  summary: "Delete a workspace",
  description:
    "For owners. Permanently deletes the workspace for all its members, with its keys, invitations, source " +
    "credentials, uploads, watches and connections. Rejected while it has datasets or a paid subscription; a " +
    "personal workspace is deleted with its account.",
  access: "owner",
  quota: "account",
  http: { method: "POST", path: "/api/account/workspaces/{workspace_id}/delete" },
  input: { path: workspacePathSchema, body: deletionSchema },
  output: doneSchema,
  errors: ["invalid_value", "conflict"],
  async run({ body }, ctx) {
    const { workspaceId } = membershipOf(ctx);
    const { workspace } = await presentOne(workspaceId, personOf(ctx).userId, ctx.now());
    if (workspace.personal) throw fail("conflict", { message: OF_ACCOUNT });
    if (body.name.trim() !== workspace.name)
      throw failWith([
        { pointer: "/name", code: "invalid_value", message: "Wrong name. Enter the name of this workspace." },
      ]);
    const left = await withTheirUploads([workspaceId], () => remove(workspaceId, authorOf(ctx)));
    if (left) throw fail("conflict", { message: unsettledText(left) });
    return done("deleted");
  },
});

const OF_ACCOUNT = "Your personal workspace is deleted with your account. Delete the account instead.";

const unsettledText = ({ name, datasets, isBilled }: Unsettled): string =>
  [
    ...(datasets > 0 ? [`${name} has datasets. Delete them first.`] : []),
    ...(isBilled ? [`${name} has a paid subscription. Cancel it under Workspace.`] : []),
  ].join(" ");

async function presentOne(id: string, userId: string, now: Date): Promise<z.output<typeof createdSchema>> {
  const workspace = (await presentWorkspaces(userId, now)).find((entry) => entry.id === id);
  if (!workspace) throw fail("not_found");
  return { schema_version: "service-workspace.v1", workspace };
}
