import { z } from "zod";
import { workspaceOf } from "@/lib/access/actor";
import { authorOf } from "@/lib/access/author";
import type { Context } from "@/lib/access/context";
import { datasetPage } from "@/lib/describe/links";
import { fail } from "@/lib/kernel/errors";
import { NO_ARGUMENTS, READING, tool } from "@/lib/mcp/tool";
import { locateDataset } from "@/lib/operations/get-dataset";
import { connectionsOf } from "@/lib/operations/workspace/usage";
import { connectionsSchema } from "@/lib/schemas/usage";
import { connectDataset } from "@/lib/store/readings";

/** The workspace that the caller's credential acts for. */
function ownWorkspace(ctx: Context): string {
  const workspaceId = workspaceOf(ctx);
  if (workspaceId === undefined)
    throw fail("key_missing", { message: "Send a use key or an OAuth access token as Authorization: Bearer." });
  return workspaceId;
}

export const listConnectedDatasetsTool = tool({
  name: "list_connected_datasets",
  title: "List connected datasets",
  description:
    "The datasets connected to the credential's workspace, newest first, with the date of the last read: what this " +
    "person has worked with before. Requires a use key or a connection.",
  access: "connector_read",
  hints: READING,
  input: NO_ARGUMENTS,
  output: connectionsSchema,
  call: async (_args, ctx) => ({ structured: await connectionsOf(ownWorkspace(ctx), ctx) }),
});

export const connectDatasetTool = tool({
  name: "connect_dataset",
  title: "Connect a dataset",
  description:
    "Adds a published dataset to the connection's workspace, so that list_connected_datasets includes it. " +
    "Idempotent. Requires an OAuth connection; a use key cannot change a " +
    "workspace.",
  access: "connector_change",
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    slug: z.string().max(200).describe("The slug from search_datasets, or the id from search."),
  }),
  output: z.strictObject({ slug: z.string(), title: z.string(), url: z.string(), connected: z.literal(true) }),
  async call({ slug }, ctx) {
    const workspaceId = ownWorkspace(ctx);
    const dataset = await locateDataset(slug, workspaceId);
    await connectDataset(workspaceId, dataset.id, authorOf(ctx));
    return {
      structured: {
        slug: dataset.slug,
        title: dataset.title,
        url: datasetPage(ctx.baseUrl, dataset.slug),
        connected: true,
      },
    };
  },
});
