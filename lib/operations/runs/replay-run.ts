import { basename } from "node:path";
import { z } from "zod";
import { membershipOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { readRecipe } from "@/lib/builds/document/read-recipe";
import type { PlannedSource } from "@/lib/builds/plan";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { BUILD, idempotencyKeySchema, locateRun, runPathSchema } from "@/lib/operations/datasets/build-path";
import { builderAuthor, builderOf } from "@/lib/operations/datasets/builder";
import { operation } from "@/lib/operations/operation";
import { requireRevision } from "@/lib/operations/recipes/recipe-facts";
import { type Estimate, estimateSchema, runBriefSchema } from "@/lib/schemas/run";
import { hasSnapshot } from "@/lib/sources/snapshots";
import { blobStore } from "@/lib/storage/blob-store";
import { findRevision, findRevisionById, type StoredRevision } from "@/lib/store/recipes/revisions";
import { countRun } from "@/lib/store/runs/build-quota";
import { onlyOnce } from "@/lib/store/runs/idempotency";
import { createRun, type StoredRun } from "@/lib/store/runs/runs";
import { estimateRun } from "./estimate";
import { briefOf, resultOf } from "./present-run";

const DAY_MS = 86_400_000;

const bodySchema = z.strictObject({
  bytes: z.literal("same").default("same").describe("The bytes that the run read; nothing is fetched."),
  revision: z.int().min(1).optional().describe("Another revision to run over the same bytes; the run's own if absent."),
  idempotency_key: idempotencyKeySchema,
});

/** POST to repeat a sealed run from the bytes that it read. */
export const replayRun = operation({
  name: "replay_run",
  summary: "Repeat a run from the bytes it read",
  description:
    "Repeats a run from the same source bytes, as a proof: its result says for each table whether the output is " +
    "identical. Another revision is tried on the old bytes, with sample and approval. A replay never becomes " +
    "current automatically.",
  access: "build",
  quota: "account",
  http: { method: "POST", path: `${BUILD}/runs/{run_id}/replay`, status: 201 },
  input: { path: runPathSchema, body: bodySchema },
  output: runBriefSchema.extend({
    estimate: estimateSchema,
    reproduces: z
      .array(z.object({ table: z.string(), expected_digest: z.string() }))
      .optional()
      .describe("The expected output; the run's result is compared with it."),
  }),
  errors: ["conflict", "idempotency_key_reused", "daily_quota_exhausted"],
  examples: { body: {} },
  locate: locateRun,
  async run({ located, body: { idempotency_key: key, ...args } }, ctx) {
    const { workspaceId } = membershipOf(ctx);
    const call = { workspaceId, key, tool: "replay_run", args: [located.id, args], now: ctx.now() };
    return onlyOnce(call, () => replay(located, args.revision, ctx));
  },
  mcp: {
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
});

async function replay(base: StoredRun, requested: number | undefined, ctx: Context) {
  if (base.state !== "sealed")
    throw fail("conflict", { message: `The run is ${base.state}. Only a sealed run can be repeated.` });
  const revision =
    requested === undefined
      ? requireRevision(await findRevisionById(base.revisionId))
      : await revisionOf(base, requested);
  await requireBytes(base, revision);
  const isRepeated = revision.id === base.revisionId;
  if (isRepeated && (base.recipeDigest === null || base.recipeDigest !== revision.recipeDigest))
    throw fail("conflict", {
      message: "The revision has been sampled again since. Pass it as revision to try it again.",
    });
  const now = ctx.now();
  const { recipe } = readRecipe(revision.document);
  const estimate = await estimateRun(recipe, { datasetId: base.datasetId, workspaceId: base.workspaceId }, now);
  await countRun(base.workspaceId, env().BUILD_RUNS_DAY, now);
  const run = await createRun(newReplay(base, revision, { estimate, isRepeated }, ctx), builderAuthor(ctx));
  const expected = resultOf(base)?.tables ?? [];
  return {
    ...briefOf(run, ctx.baseUrl),
    estimate,
    ...(isRepeated && {
      reproduces: expected.flatMap(({ table, content_digest }) =>
        content_digest === undefined ? [] : [{ table, expected_digest: content_digest }],
      ),
    }),
  };
}

function newReplay(
  base: StoredRun,
  revision: StoredRevision,
  { estimate, isRepeated }: { estimate: Estimate; isRepeated: boolean },
  ctx: Context,
): Parameters<typeof createRun>[0] {
  const now = ctx.now();
  const { now: then = now.toISOString() } = base.plan as { now?: string };
  return {
    dataset: { id: base.datasetId, slug: base.dataset.slug, workspaceId: base.workspaceId },
    revision,
    kind: "replay",
    trigger: builderOf(ctx).kind === "agent" ? "agent" : "person",
    state: isRepeated ? "queued_full" : "planned",
    plan: { estimate, now: then }, // the same instant, as checks and steps may use it
    recipeDigest: isRepeated ? (base.recipeDigest ?? undefined) : undefined,
    basedOnRunId: base.id,
    replayBytes: "same",
    createdBy: builderOf(ctx),
    message: `the bytes of run ${base.id}; nothing is fetched`,
    expiresAt: isRepeated ? undefined : new Date(now.getTime() + DAY_MS),
    now,
  };
}

async function revisionOf(base: StoredRun, number: number): Promise<StoredRevision> {
  const found = await findRevision(base.datasetId, number);
  if (!found)
    throw fail("not_found", { message: `Unknown revision: ${number}. get_my_dataset returns the newest one.` });
  return found;
}

/** Fails with not_found, naming the source and its day, if bytes that the run read are gone. */
async function requireBytes(base: StoredRun, { document }: StoredRevision): Promise<void> {
  const { sources = [] } = base.plan as unknown as { sources?: PlannedSource[] };
  const day = (base.finishedAt ?? base.createdAt).toISOString().slice(0, 10);
  for (const { name } of readRecipe(document).recipe.sources) {
    const recorded = sources.find((source) => source.name === name);
    const files = recorded?.parts.map(({ file }) => basename(file)) ?? [];
    const isThere = recorded !== undefined && (await Promise.all(files.map(isStored))).every(Boolean);
    if (isThere) continue;
    const why = recorded ? "are gone" : "were not read by that run";
    throw fail("not_found", { message: `The bytes of ${name} of ${day} ${why}. start_run reads the sources again.` });
  }
}

const isStored = async (digest: string): Promise<boolean> =>
  (await hasSnapshot(digest)) || (await blobStore().stat(digest)) !== undefined;
