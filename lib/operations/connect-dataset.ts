import { z } from "zod";
import { ownWorkspace, readerOf } from "@/lib/access/actor";
import { authorOf } from "@/lib/access/author";
import { datasetPage } from "@/lib/describe/links";
import { connectDataset as connect } from "@/lib/store/usage/readings";
import { locateDataset } from "./get-dataset";
import { operation } from "./operation";

/** Lets an agent connect a dataset before reading it. */
export const connectDataset = operation({
  name: "connect_dataset",
  summary: "Connect a dataset",
  description:
    "Adds a published dataset to the connection's workspace, so that list_connected_datasets includes it. " +
    "Idempotent. Requires an OAuth connection; a use key cannot change a " +
    "workspace.",
  access: "connector_change",
  quota: "catalogue",
  input: {
    path: z.strictObject({
      slug: z.string().max(200).describe("A slug, or an id from search."),
    }),
  },
  output: z.strictObject({ slug: z.string(), title: z.string(), url: z.string(), connected: z.literal(true) }),
  errors: ["not_found"],
  locate: ({ slug }, ctx) => locateDataset(slug, readerOf(ctx)),
  async run({ located: { id, slug, title } }, ctx) {
    await connect(ownWorkspace(ctx), id, authorOf(ctx));
    return { slug, title, url: datasetPage(ctx.baseUrl, slug), connected: true as const };
  },
  mcp: { hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false } },
});
