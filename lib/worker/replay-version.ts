import { setTimeout as sleep } from "node:timers/promises";
import { type CheckedRecipe, checkRecipe } from "@/lib/builds/check-recipe";
import { Failure } from "@/lib/kernel/errors";
import { planRefreshes } from "@/lib/operations/refresh/run-schedules";
import { estimateRun } from "@/lib/operations/runs/estimate";
import { resultOf } from "@/lib/operations/runs/present-run";
import type { ReplayedVersion } from "@/lib/showcase/showcase";
import { approveRun } from "@/lib/store/approvals/approvals";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { type BuiltDataset, createBuiltDataset, findBuiltDataset } from "@/lib/store/datasets/built-datasets";
import { ensureOwnWorkspace } from "@/lib/store/people/workspaces";
import { addRevision, type StoredRevision } from "@/lib/store/recipes/revisions";
import { pauseSchedule } from "@/lib/store/recipes/schedules";
import { confirmRun, createRun, findInstalledRun, findRun, type StoredRun } from "@/lib/store/runs/runs";
import { newWorkerName, workOnRun } from "./runs/run-job";
import { stageWith } from "./runs/run-stage";
import type { InstalledPackage } from "./sources/installed-package";

/** The workspace that builds the showcase. It has no members unless the administrator adds some. */
export const SHOWCASE_WORKSPACE = "5ca7a109-0000-4000-8000-000000000001";
export const BY_ADMINISTRATOR = { kind: "operator", user_id: null, connection_id: null, client_id: null } as const;
const AGAIN_MS = 500;

export interface Replaying {
  now(): Date;
  onError(error: unknown): void;
  /** The compiled sandbox; the one next to the compiled program if absent. */
  program?: string;
}

/**
 * Builds one version of a showcase dataset by its recipe, like any other build in a worker: the same runs, but with the
 * installed package in place of the registry and with the version's own time. Existing versions are kept. If the
 * dataset was published by hand, returns `by_hand` and does nothing. Fails with the run's message if it failed.
 */
export async function replayVersion(wanted: ReplayedVersion, ctx: Replaying): Promise<"built" | "by_hand"> {
  const dataset = await builtDataset(wanted, ctx.now());
  if (!dataset) return "by_hand";
  const before = await findInstalledRun(dataset.id, wanted.label);
  const run = await finish(before ?? (await newRun(dataset, wanted, ctx)), ctx);
  if (run.state !== "sealed") throw new Error(`${wanted.label}: ${run.failureMessage ?? run.state}`);
  if (run.kind === "build") await pauseRefreshes(run, ctx);
  return "built";
}

/** The dataset, created if absent; undefined if its slug belongs to a published dataset. */
async function builtDataset({ dataset }: ReplayedVersion, now: Date): Promise<BuiltDataset | undefined> {
  const { slug, title, summary, description, license, topics, temporalCoverage } = dataset;
  const found = await findBuiltDataset(SHOWCASE_WORKSPACE, slug);
  if (found) return found;
  await ensureOwnWorkspace(SHOWCASE_WORKSPACE, "Showcase", ADMINISTRATOR);
  const texts = { slug, title, summary, description, license, topics, temporalCoverage };
  const most = Number.MAX_SAFE_INTEGER;
  const input = { ...texts, workspaceId: SHOWCASE_WORKSPACE, createdById: undefined, now, most };
  try {
    await createBuiltDataset(input, ADMINISTRATOR);
  } catch (error) {
    if (error instanceof Failure && error.code === "conflict") return undefined;
    throw error;
  }
  return findBuiltDataset(SHOWCASE_WORKSPACE, slug);
}

/** Plans the first run of a recipe. Once that is approved, later runs are queued in full. */
async function newRun(built: BuiltDataset, { document, label, publishedAt, folder }: ReplayedVersion, ctx: Replaying) {
  const now = ctx.now();
  const checked = checkRecipe(document, new Map());
  const revision = await revisionOf(built, checked, now);
  const isApproved = revision.state === "approved" && revision.recipeDigest !== null;
  const at = publishedAt.toISOString();
  const installed: InstalledPackage = { folder, version: label, at };
  const estimate = await estimateRun(checked.recipe, { datasetId: built.id, workspaceId: SHOWCASE_WORKSPACE }, now);
  return createRun(
    {
      dataset: { id: built.id, slug: built.slug, workspaceId: SHOWCASE_WORKSPACE },
      revision,
      kind: isApproved ? "refresh" : "build",
      trigger: "person",
      state: isApproved ? "queued_full" : "planned",
      plan: { estimate, now: at, installed: { ...installed } },
      recipeDigest: isApproved ? (revision.recipeDigest ?? undefined) : undefined,
      createdBy: BY_ADMINISTRATOR,
      message: `replays ${label} of ${at.slice(0, 10)} from the installed package`,
      now,
    },
    ADMINISTRATOR,
  );
}

async function revisionOf(
  { id, slug }: BuiltDataset,
  { canonical, documentDigest }: CheckedRecipe,
  now: Date,
): Promise<StoredRevision> {
  const dataset = { id, slug, workspaceId: SHOWCASE_WORKSPACE };
  const input = {
    document: canonical,
    documentDigest,
    origin: "registered" as const,
    note: "",
    actor: BY_ADMINISTRATOR,
    now,
  };
  return (await addRevision({ dataset, ...input }, ADMINISTRATOR)).revision;
}

const ENDED: readonly StoredRun["state"][] = ["sealed", "failed", "cancelled", "expired"];

/** Completes a run from whatever state it was left in. */
async function finish(run: StoredRun, ctx: Replaying): Promise<StoredRun> {
  let at = run;
  while (!ENDED.includes(at.state)) {
    const before = at.state;
    await advance(at, ctx);
    at = (await findRun(SHOWCASE_WORKSPACE, run.id)) ?? at;
    if (at.state === before) await sleep(AGAIN_MS); // a worker is on it
  }
  return at;
}

async function advance(run: StoredRun, ctx: Replaying): Promise<void> {
  if (run.state === "planned") await confirmRun(run, "the administrator", ctx.now());
  else if (run.state === "awaiting_approval") await approve(run, ctx);
  else await workOnRun({ run_id: run.id }, { ...working(ctx), onError: ctx.onError });
}

const working = ({ program }: Replaying) => ({
  worker: newWorkerName(),
  stage: stageWith(program),
  stop: new AbortController().signal,
});

/** The recipe is trusted because it is shipped with the service, like the software itself. */
async function approve(run: StoredRun, ctx: Replaying): Promise<void> {
  const recipeDigest = run.recipeDigest ?? resultOf(run)?.recipe_digest;
  if (!recipeDigest) throw new Error(`Run ${run.id} has no sample`);
  const afterSeal = { promote: "public" as const, activate: false };
  const decided = { by: "the administrator", decidedBy: BY_ADMINISTRATOR, userId: undefined, now: ctx.now() };
  await approveRun({ run, recipeDigest, afterSeal, ...decided }, ADMINISTRATOR);
  await pauseRefreshes(run, ctx);
}

/** Stores the recipe's schedule and pauses it once. It waits until the administrator allows reading the registry. */
async function pauseRefreshes({ datasetId, dataset: { slug } }: StoredRun, { now, onError }: Replaying): Promise<void> {
  const { schedule } = (await findBuiltDataset(SHOWCASE_WORKSPACE, datasetId)) ?? {};
  if (schedule?.pausedBy) return;
  await planRefreshes(now(), onError);
  const scheduled = { datasetId, slug, workspaceId: SHOWCASE_WORKSPACE };
  await pauseSchedule(scheduled, { by: BY_ADMINISTRATOR, now: now() }, ADMINISTRATOR);
}
