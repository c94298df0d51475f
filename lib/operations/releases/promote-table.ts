import { z } from "zod";
import { membershipOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { isActive } from "@/lib/operations/approvals/approval-policy";
import { requestHumanApproval } from "@/lib/operations/approvals/request-human-approval";
import { receiptOfTable } from "@/lib/operations/datasets/activation-receipts";
import { BUILD, datasetPathSchema, idempotencyKeySchema, locateBuilt } from "@/lib/operations/datasets/build-path";
import { builderOf } from "@/lib/operations/datasets/builder";
import { callerOf, isRecipeApproved, needsApproval } from "@/lib/operations/datasets/dataset-events";
import { operation } from "@/lib/operations/operation";
import { requireRevision } from "@/lib/operations/recipes/recipe-facts";
import { approvalOf, approvalUrl } from "@/lib/operations/runs/present-run";
import { approvalSchema } from "@/lib/schemas/run";
import { tableDifferenceSchema } from "@/lib/schemas/table-difference";
import { type BuiltDataset, findBuiltDataset } from "@/lib/store/datasets/built-datasets";
import { type EventBy, visibilityEvent } from "@/lib/store/datasets/dataset-states";
import { findRevisionById } from "@/lib/store/recipes/revisions";
import type { PromotedTable } from "@/lib/store/releases/promotion";
import { findSealed, type SealedVersionRow } from "@/lib/store/releases/sealing";
import { onlyOnce } from "@/lib/store/runs/idempotency";
import { findRun, lastSealedRun, type StoredRun } from "@/lib/store/runs/runs";
import { promoteVersions, sealedVersions } from "./promote-sealed";
import { releaseDifferences } from "./release-differences";

const receiptSchema = z.object({
  table: z.string(),
  dataset_id: z.uuid(),
  table_id: z.uuid(),
  version_id: z.uuid(),
  previous_version_id: z.uuid().nullable(),
  current: z.literal(true),
  visibility: z.enum(["public", "private", "withdrawn"]),
  activated_at: z.iso.datetime().nullable(),
  current_path: z.string().nullable().describe("Where the hosted table API serves it, if it is active."),
  freshness_path: z.string().nullable(),
});

const bodySchema = z.strictObject({
  tables: z.array(z.string().max(100)).min(1).max(20).optional().describe("Slugs; all of the run if absent."),
  run_id: z.uuid().optional().describe("The run that sealed them; the last sealed one if absent."),
  version_id: z.uuid().optional().describe("One version, such as an older one to roll back to."),
  expected_current: z.uuid().nullable().optional().describe("Fails with conflict unless this version is current."),
  visibility: z.enum(["private", "public"]).optional(),
  activate: z.boolean().default(false).describe("Puts the tables on the hosted table API as well."),
  roll_back: z.boolean().default(false).describe("Must be true to make an older version current."),
  idempotency_key: idempotencyKeySchema,
});

/** POST to make sealed versions current. */
export const promoteTable = operation({
  name: "promote_table",
  summary: "Make sealed tables current",
  description:
    "Makes a run's result current, all tables or none: private, or public if a person approved that. The first " +
    "publication and activation require an owner: nothing happens yet, and approval contains the URL to show them. " +
    "version_id with roll_back goes back to an older version.",
  access: "build",
  quota: "account",
  http: { method: "POST", path: `${BUILD}/datasets/{dataset}/promote` },
  input: { path: datasetPathSchema, body: bodySchema },
  output: z.object({
    receipts: z.array(receiptSchema),
    differences: z.array(tableDifferenceSchema).describe("Compared with the previous version."),
    approval: approvalSchema.optional(),
    next: z.string(),
  }),
  errors: ["conflict", "no_passing_release", "version_withdrawn", "idempotency_key_reused", "insufficient_scope"],
  examples: { body: {} },
  locate: locateBuilt,
  async run({ located, body: { idempotency_key: key, ...args } }, ctx) {
    const { workspaceId } = membershipOf(ctx);
    const call = { workspaceId, key, tool: "promote_table", args: [located.id, args], now: ctx.now() };
    return onlyOnce(call, () => promote(located, args, ctx));
  },
  mcp: {
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  },
});

type Args = Omit<z.output<typeof bodySchema>, "idempotency_key">;

async function promote(dataset: BuiltDataset, args: Args, ctx: Context) {
  if (dataset.visibility === "public" && args.visibility === "private") visibilityEvent("public", "private"); // fails
  const run = await runOf(dataset, args);
  const versions = await versionsOf(dataset, run, args);
  const cause = await causeOf(dataset, run, ctx);
  const publishes = args.visibility === "public";
  const activate = args.activate && !isActive(dataset);
  const required = requiredApproval(dataset, { publishes, activates: activate }, cause, ctx);
  const differences = await releaseDifferences(run, ctx, { tables: args.tables, versionId: args.version_id });
  if (required) return { ...(await requestOwnerApproval(run, { ...args, ...required }, ctx)), differences };
  const { expected_current: expectedCurrent } = args;
  const promoted = await promoteVersions(run, versions, { publishes, cause, expectedCurrent, activate }, ctx);
  const after = (await findBuiltDataset(dataset.build.workspaceId, dataset.id)) ?? dataset;
  const receipts = promoted.map((table) => receiptOf(after, table));
  const next = [nextOf(promoted), ...(promoted.some(({ isOlder }) => isOlder) ? untilPromoted(after) : [])].join(" ");
  return { receipts, differences, next };
}

/** Who promotes the result of a run, and whether others may see it without asking a person. */
async function causeOf(dataset: BuiltDataset, run: StoredRun, ctx: Context): Promise<EventBy> {
  const revision = requireRevision(await findRevisionById(run.revisionId));
  return { caller: callerOf(ctx), isRecipeApproved: await isRecipeApproved(dataset, revision, ctx.now()) };
}

/** What an owner has to approve first; undefined if nothing. */
function requiredApproval(
  dataset: BuiltDataset,
  { publishes, activates }: { publishes: boolean; activates: boolean },
  cause: EventBy,
  ctx: Context,
): { publishes: boolean; activate: boolean } | undefined {
  const promotes = needsApproval("promote", dataset, cause, ctx);
  const publishNeedsApproval = publishes && needsApproval("publish", dataset, cause, ctx);
  const activateNeedsApproval = activates && needsApproval("activate", dataset, cause, ctx);
  if (!promotes && !publishNeedsApproval && !activateNeedsApproval) return undefined;
  const isPublic = publishNeedsApproval || (promotes && dataset.visibility === "public");
  return { publishes: isPublic, activate: activateNeedsApproval || !isPublic };
}

/** How long a roll-back lasts, if a schedule continues to read the sources. */
const untilPromoted = ({ schedule }: BuiltDataset): string[] =>
  schedule?.spec ? ["Refreshes keep this version: what they seal is not current until somebody promotes it."] : [];

async function runOf(dataset: BuiltDataset, { run_id, version_id }: Args): Promise<StoredRun> {
  const { workspaceId } = dataset.build;
  const sealed = version_id === undefined ? undefined : await findSealed(dataset.id, version_id);
  if (version_id !== undefined && !sealed)
    throw fail("not_found", { message: `Unknown version: ${version_id}. get_table lists a table's releases.` });
  const id = sealed?.runId ?? run_id;
  const run = id === undefined ? await lastSealedRun(dataset.id) : await findRun(workspaceId, id);
  if (!run || run.datasetId !== dataset.id)
    throw id === undefined
      ? fail("no_passing_release", { message: "No run of this dataset has been sealed yet. Start one with start_run." })
      : fail("not_found", { message: `Unknown run: ${id}. list_runs lists the dataset's runs.` });
  if (run.state !== "sealed") throw fail("conflict", { message: `The run is ${run.state}, not sealed.` });
  return run;
}

/** The versions to make current. Fails with conflict if one was current before and is not asked for with roll_back. */
async function versionsOf(dataset: BuiltDataset, run: StoredRun, args: Args): Promise<readonly SealedVersionRow[]> {
  const { version_id: id, roll_back, tables } = args;
  const named = id === undefined ? undefined : await findSealed(dataset.id, id);
  const versions = named ? [named] : await sealedVersions(run, tables);
  const isOlder = versions.some(
    ({ publishedAt, currentVersionId, versionId }) => publishedAt !== null && currentVersionId !== versionId,
  );
  if (isOlder && !roll_back)
    throw fail("conflict", {
      message:
        "The version was current before, and another one is now. Send roll_back: true to make it current again. " +
        'To publish what is current, use update_dataset with visibility "public".',
    });
  return versions;
}

async function requestOwnerApproval(run: StoredRun, args: Args & { publishes: boolean }, ctx: Context) {
  const now = ctx.now();
  const question = {
    run,
    kind: args.publishes ? ("publish" as const) : ("activate" as const),
    recipeDigest: run.recipeDigest ?? "",
    askedBy: builderOf(ctx),
    afterSeal: { promote: args.publishes ? ("public" as const) : ("private" as const), activate: args.activate },
    path: approvalUrl(ctx.baseUrl, run),
    expiresAt: new Date(now.getTime() + env().APPROVAL_DAYS * 86_400_000),
    now,
  };
  await requestHumanApproval(question, ctx);
  const again = (await findRun(membershipOf(ctx).workspaceId, run.id)) ?? run;
  const approval = approvalOf(again, ctx.baseUrl);
  const url = approvalUrl(ctx.baseUrl, run);
  const next = `Show your person ${url}; nothing is public or active until an owner approves there.`;
  return {
    receipts: [],
    ...(approval && { approval }),
    next: args.tables ? `${next} All tables of the run are.` : next,
  };
}

const receiptOf = (dataset: BuiltDataset, table: PromotedTable) => ({
  ...hostedOf(dataset, table),
  table: table.table,
  dataset_id: dataset.id,
  table_id: table.tableId,
  version_id: table.versionId,
  previous_version_id: table.previousVersionId,
  current: true as const,
  visibility: dataset.visibility,
});

function hostedOf(dataset: BuiltDataset, { tableId }: PromotedTable) {
  const table = dataset.tables.find(({ id }) => id === tableId);
  const receipt = table ? receiptOfTable(table) : null;
  return {
    activated_at: receipt?.activated_at ?? null,
    current_path: receipt?.current_path ?? null,
    freshness_path: receipt?.freshness_path ?? null,
  };
}

const nextOf = ([first]: readonly PromotedTable[]): string =>
  first ? `query_table {"table_id":"${first.tableId}","columns":[…]} reads it.` : "Nothing was promoted.";
