import { z } from "zod";
import type { Context } from "@/lib/access/context";
import { apiBaseUrl } from "@/lib/kernel/env";
import { operation } from "@/lib/operations/operation";
import { activationReceiptSchema } from "@/lib/schemas/activation";
import { activateTables, deactivateTables } from "@/lib/store/datasets/activations";
import type { BuiltDataset } from "@/lib/store/datasets/built-datasets";
import { ownersOnly } from "@/lib/store/datasets/dataset-states";
import { receiptOf } from "./activation-receipts";
import { BUILD, datasetPathSchema, expectedCurrentSchema, locateBuilt } from "./build-path";
import { builderAuthor, builderOf } from "./builder";
import { callerOf, needsApproval } from "./dataset-events";

const PATH = `${BUILD}/datasets/{dataset}/activation`;
const tablesSchema = z.array(z.string().max(100)).min(1).max(20).optional().describe("Slugs; all tables if absent.");

/** POST to put a dataset's tables on the hosted table API. */
export const activateDataset = operation({
  name: "activate_dataset",
  summary: "Activate a built dataset",
  description:
    "Puts sealed tables on the hosted table API: each gets its own URL, where live keys of the workspace download " +
    "its latest passing release and read its freshness. A table that was activated before gets the same URL. Only " +
    "for owners who signed in within 12 hours.",
  access: "build",
  quota: "account",
  http: { method: "POST", path: PATH },
  input: {
    path: datasetPathSchema,
    body: z.strictObject({ tables: tablesSchema, expected_current: expectedCurrentSchema.optional() }),
  },
  output: z.object({ receipts: z.array(activationReceiptSchema), next: z.string() }),
  errors: ["insufficient_scope", "no_passing_release", "conflict"],
  examples: { body: {} },
  locate: locateBuilt,
  async run({ located, body: { tables, expected_current: expectedCurrent } }, ctx) {
    if (needsApproval("activate", located, { caller: callerOf(ctx) }, ctx)) throw ownersOnly("activate it");
    const activated = await activateTables({ ...requestOf(located, tables, ctx), expectedCurrent }, builderAuthor(ctx));
    const receipts = activated.map(receiptOf);
    const path = receipts[0]?.current_path ?? "";
    return { receipts, next: `GET ${apiBaseUrl()}${path} with a live key of the workspace in x-api-key.` };
  },
});

/** DELETE to take a dataset's tables off the hosted table API. */
export const deactivateDataset = operation({
  name: "deactivate_dataset",
  summary: "Deactivate a built dataset",
  description:
    "Takes tables off the hosted table API: their URLs return 404 from the next request on. Reactivated tables " +
    "have the same URLs as before. Only for owners who signed in within 12 hours.",
  access: "build",
  quota: "account",
  http: { method: "DELETE", path: PATH },
  input: { path: datasetPathSchema, body: z.strictObject({ tables: tablesSchema }) },
  output: z.object({ deactivated: z.array(z.string()).describe("Slugs of the tables that were active.") }),
  errors: ["insufficient_scope", "no_passing_release"],
  examples: { body: {} },
  locate: locateBuilt,
  async run({ located, body: { tables } }, ctx) {
    needsApproval("deactivate", located, { caller: callerOf(ctx) }, ctx);
    return { deactivated: await deactivateTables(requestOf(located, tables, ctx), builderAuthor(ctx)) };
  },
});

const requestOf = ({ id, slug, build }: BuiltDataset, tables: readonly string[] | undefined, ctx: Context) => ({
  dataset: { id, slug, workspaceId: build.workspaceId },
  tables,
  by: builderOf(ctx),
  cause: { caller: callerOf(ctx) },
  now: ctx.now(),
});
