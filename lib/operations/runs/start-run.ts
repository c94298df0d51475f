import { z } from "zod";
import { membershipOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { readRecipe } from "@/lib/builds/document/read-recipe";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { formatBytes } from "@/lib/kernel/format";
import { isApprovalValid, whyApprovalEnded } from "@/lib/operations/approvals/approval-ends";
import { BUILD, datasetPathSchema, idempotencyKeySchema, locateBuilt } from "@/lib/operations/datasets/build-path";
import { builderAuthor, builderOf, builderText } from "@/lib/operations/datasets/builder";
import { operation } from "@/lib/operations/operation";
import { checkCredentialHosts } from "@/lib/operations/sources/credential-hosts";
import { type Estimate, estimateSchema, runBriefSchema } from "@/lib/schemas/run";
import type { BuiltDataset } from "@/lib/store/datasets/built-datasets";
import { findApprovedRevision, findRevision, type StoredRevision } from "@/lib/store/recipes/revisions";
import { countRun, requireFetchQuota } from "@/lib/store/runs/build-quota";
import { onlyOnce } from "@/lib/store/runs/idempotency";
import { confirmRun, createRun, findRecentRun, type StoredRun } from "@/lib/store/runs/runs";
import { estimateRun, estimateText } from "./estimate";
import { briefOf } from "./present-run";

const AGAIN_MS = 10_000;
const DAY_MS = 86_400_000;
/** POST to plan a run of a dataset's recipe. */
export const startRun = operation({
  name: "start_run",
  summary: "Plan a run",
  description:
    "Plans a run of the newest revision, or of another one; no source is read yet. confirm starts its sample as " +
    "well. A revision that was approved before is run in full at once.",
  access: "build",
  quota: "account",
  http: { method: "POST", path: `${BUILD}/datasets/{dataset}/runs`, status: 201 },
  input: {
    path: datasetPathSchema,
    body: z.strictObject({
      revision: z.int().min(1).optional(),
      confirm: z.boolean().default(false),
      idempotency_key: idempotencyKeySchema,
    }),
  },
  output: runBriefSchema.extend({
    note: z.string().optional().describe("Why it starts with a sample although a revision was approved."),
    estimate: estimateSchema,
  }),
  errors: ["conflict", "idempotency_key_reused", "daily_quota_exhausted"],
  examples: { body: {} },
  locate: locateBuilt,
  async run({ located, body: { idempotency_key: key, ...args } }, ctx) {
    const { workspaceId } = membershipOf(ctx);
    const call = { workspaceId, key, tool: "start_run", args: [located.id, args], now: ctx.now() };
    return onlyOnce(call, async () => {
      const revision = await findRevision(located.id, args.revision);
      if (!revision) throw noRevision(located, args.revision);
      const { run, estimate } = await planRun(located, revision, args.confirm, ctx);
      const brief = briefOf(run, ctx.baseUrl);
      const note = run.kind === "build" ? await whySampled(located, revision, ctx.now()) : undefined;
      return {
        ...brief,
        ...(note !== undefined && { note }),
        ...(args.confirm && run.state === "planned" && { next: confirmationText(estimate, brief.next) }),
        estimate,
      };
    });
  },
  mcp: {
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
});

/** Why a run of a dataset with an approved recipe makes a sample first; undefined if nothing was approved. */
async function whySampled(
  { id, slug, build }: BuiltDataset,
  run: StoredRevision,
  now: Date,
): Promise<string | undefined> {
  const approved = await findApprovedRevision(id);
  if (!approved?.approvedAt) return undefined;
  const ended = await whyApprovalEnded({ ...approved, approvedAt: approved.approvedAt }, build.workspaceId, now);
  if (approved.number === run.number)
    return ended && `${ended} A sample of revision ${run.number} and another approval are needed first.`;
  const other = `Revision ${run.number} is not approved, so its sample comes first.`;
  return ended
    ? `${other} The approval of revision ${approved.number} has ended: ${ended}`
    : `${other} start_run {"dataset":"${slug}","revision":${approved.number}} runs the approved one in full.`;
}

/** Why a requested sample is not started, and how to start it. */
const confirmationText = ({ bytes }: Estimate, next: string): string =>
  `Not started: it may read ${formatBytes(bytes.max)}, more than a quarter of the workspace's daily quota. ${next}`;

function noRevision({ slug }: BuiltDataset, requested: number | undefined) {
  return requested === undefined
    ? fail("conflict", { message: `Dataset ${slug} has no recipe yet. Register one with register_recipe.` })
    : fail("not_found", { message: `Unknown revision: ${requested}. get_my_dataset returns the newest one.` });
}

/**
 * Plans a run, or queues an approved recipe in full; returns the run that the same caller planned a moment ago, if
 * there is one.
 */
export async function planRun(
  dataset: BuiltDataset,
  revision: StoredRevision,
  isConfirmed: boolean,
  ctx: Context,
): Promise<{ run: StoredRun; estimate: Estimate }> {
  const now = ctx.now();
  const { workspaceId } = dataset.build;
  const { recipe } = readRecipe(revision.document);
  const isApproved = await isApprovalValid(revision, workspaceId, now);
  if (isConfirmed || isApproved) await checkCredentialHosts(recipe.sources, workspaceId, "stored");
  const estimate = await estimateRun(recipe, { datasetId: dataset.id, workspaceId }, now);
  const again = await findRecentRun(revision.id, builderOf(ctx), new Date(now.getTime() - AGAIN_MS));
  const run = again ?? (await insertRun(dataset, revision, { estimate, runsInFull: isApproved }, ctx));
  const isSmall = estimate.bytes.max <= env().BUILD_BYTES_DAY / 4;
  const confirms = isConfirmed && isSmall && run.state === "planned";
  return { run: confirms ? await confirmRun(run, builderText(ctx), now) : run, estimate };
}

async function insertRun(
  dataset: BuiltDataset,
  revision: StoredRevision,
  { estimate, runsInFull }: { estimate: Estimate; runsInFull: boolean },
  ctx: Context,
): Promise<StoredRun> {
  const now = ctx.now();
  const { workspaceId } = dataset.build;
  await requireFetchQuota(workspaceId, env().BUILD_BYTES_DAY, now);
  await countRun(workspaceId, env().BUILD_RUNS_DAY, now);
  return createRun(
    {
      dataset: { id: dataset.id, slug: dataset.slug, workspaceId },
      revision,
      kind: runsInFull ? "refresh" : "build",
      trigger: builderOf(ctx).kind === "agent" ? "agent" : "person",
      state: runsInFull ? "queued_full" : "planned",
      plan: { estimate, now: now.toISOString() },
      recipeDigest: runsInFull ? (revision.recipeDigest ?? undefined) : undefined,
      createdBy: builderOf(ctx),
      message: estimateText(estimate),
      expiresAt: runsInFull ? undefined : new Date(now.getTime() + DAY_MS),
      now,
    },
    builderAuthor(ctx),
  );
}
