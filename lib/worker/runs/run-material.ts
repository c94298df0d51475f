import { type ReadRecipe, readRecipe } from "@/lib/builds/document/read-recipe";
import type { Lock } from "@/lib/builds/lock";
import type { BuildPlan, PlannedSource } from "@/lib/builds/plan";
import { duckdbVersion } from "@/lib/engine/duckdb/duckdb";
import { env } from "@/lib/kernel/env";
import { sha256Hex } from "@/lib/kernel/sha256";
import type { SandboxOutcome } from "@/lib/sandbox/events";
import { labelSchema } from "@/lib/schemas/publish";
import type { AfterSeal, RunResult } from "@/lib/schemas/run";
import { type BuiltDataset, findBuiltDataset } from "@/lib/store/datasets/built-datasets";
import { hasActiveSubscription } from "@/lib/store/people/subscription";
import { findRevisionById, type StoredRevision } from "@/lib/store/recipes/revisions";
import { publisherFault } from "@/lib/store/releases/promotion";
import type { ClaimedRun } from "@/lib/store/runs/run-claims";
import { findLastInputs, findRun, type StoredRun } from "@/lib/store/runs/runs";
import type { InstalledPackage } from "@/lib/worker/sources/installed-package";
import { RunFailure } from "./run-failure";

/** The inputs of a run. */
export interface RunMaterial {
  run: ClaimedRun;
  dataset: BuiltDataset;
  revision: StoredRevision;
  document: ReadRecipe;
  /** The revision's lock; null until its first sample makes it. */
  lock: Lock | null;
  mode: "sample" | "full";
  /** The run's own "now", the same on every attempt. */
  now: Date;
  /** For a run that replays the showcase: the package that is read, and when its version was released. */
  installed: InstalledPackage | undefined;
  /** For a replay: the run whose bytes are read again. */
  replayed: StoredRun | undefined;
}

/** Whether a run reproduces the output of another one under the same recipe. */
export const repeats = ({ run, replayed }: Pick<RunMaterial, "run" | "replayed">): boolean =>
  replayed !== undefined && replayed.recipeDigest !== null && replayed.recipeDigest === run.recipeDigest;

/** Whether a full run makes what it seals current: as approved, or as a refresh of what is current. */
export function promotes({ run, dataset, document }: RunMaterial): boolean {
  if (run.kind === "replay") return false;
  const after = run.afterSeal as AfterSeal | null;
  const isShown = dataset.tables.some(({ currentVersionId }) => currentVersionId !== null);
  const refreshes = run.kind === "refresh" && isShown && document.recipe.publish.auto_promote;
  return refreshes || (after !== null && (after.promote !== "none" || after.activate));
}

/** The source's name for the release that a run read, if the only source is one package. */
export function releaseLabel({ document }: RunMaterial, sources: readonly PlannedSource[]): string | undefined {
  const { sources: read } = document.recipe;
  const { data } = labelSchema.safeParse(sources[0]?.parts[0]?.partition);
  return read.length === 1 && read[0]?.kind === "package" ? data : undefined;
}

/** Reads the inputs of a run. Throws a named `RunFailure` for a full run that could not finish, or whose plan has ended. */
export async function materialOf(run: ClaimedRun): Promise<RunMaterial> {
  const [dataset, revision] = await Promise.all([
    findBuiltDataset(run.workspaceId, run.datasetId),
    findRevisionById(run.revisionId),
  ]);
  if (!dataset || !revision) throw new RunFailure("internal", "The dataset or its recipe was deleted.");
  const { now, installed } = run.plan as { now?: string; installed?: InstalledPackage };
  const replayed = run.basedOnRunId === null ? undefined : await findRun(run.workspaceId, run.basedOnRunId);
  const material: RunMaterial = {
    run,
    dataset,
    revision,
    document: readRecipe(revision.document),
    lock: revision.lock === null ? null : (JSON.parse(revision.lock) as Lock),
    mode: run.state === "running" ? "sample" : "full",
    now: now === undefined ? run.createdAt : new Date(now),
    installed,
    replayed,
  };
  await requireRunnable(material);
  return material;
}

/** Ends a full run with a named failure before it reads anything, if it could not finish or its plan has ended. */
async function requireRunnable(material: RunMaterial): Promise<void> {
  const { run, mode, document } = material;
  if (mode !== "full") return;
  if (run.kind === "refresh" && !(await hasActiveSubscription(run.workspaceId, new Date())))
    throw new RunFailure("plan_ended", "The workspace's paid plan has ended, so the dataset is not refreshed.");
  if (!promotes(material)) return;
  const fault = await publisherFault(document.recipe.publish.publisher.name, run.workspaceId);
  if (fault !== undefined) throw new RunFailure("publisher_taken", fault);
}

/** The output of a stage, in its folder. */
export interface BuildOutput {
  material: RunMaterial;
  folder: string;
  plan: BuildPlan;
  outcome: SandboxOutcome;
}

/** The inputs of a full run, stored with its plan. */
export interface RunInputs {
  /** A different engine may produce different rows from the same bytes. */
  engine: string;
  /** Digest of all raw files. */
  raw: string;
  /** Digests of the decoded rows, by source. Empty for a run that ended before it decoded any. */
  rows: Readonly<Record<string, string>>;
}

/** The inputs and the result of the preceding run. */
export interface RunBefore {
  inputs: RunInputs;
  result: RunResult;
}

/**
 * The run that a refresh may repeat: the last one sealed by exactly this recipe and engine, if what it sealed is still
 * current. Undefined if there is none, in which case everything is built.
 */
export async function runBefore({ run, dataset, document }: RunMaterial): Promise<RunBefore | undefined> {
  if (run.kind !== "refresh" || run.recipeDigest === null) return undefined;
  const last = await findLastInputs(run.datasetId, run.recipeDigest);
  const inputs = (last?.plan as { inputs?: RunInputs } | undefined)?.inputs;
  const result = last?.sample as unknown as RunResult | null | undefined;
  if (!inputs || !result || inputs.engine !== engineText()) return undefined;
  const sealed = new Map(result.tables.map(({ table, version_id }) => [table, version_id]));
  const shown = document.recipe.tables.filter(({ internal }) => !internal).length;
  const isCurrent = dataset.tables
    .filter(({ slug }) => sealed.has(slug))
    .every(({ slug, currentVersionId }) => currentVersionId !== null && currentVersionId === sealed.get(slug));
  return isCurrent && sealed.size === shown ? { inputs, result } : undefined;
}

/** The inputs that a run decoded. */
export const inputsOf = (sources: readonly PlannedSource[], outcome: SandboxOutcome): RunInputs => ({
  engine: engineText(),
  raw: rawDigest(sources),
  rows: Object.fromEntries(outcome.sources.map(({ name, rowsDigest }) => [name, rowsDigest])),
});

/** Raw files are named by their digests. */
export const rawDigest = (sources: readonly PlannedSource[]): string => sha256Hex(JSON.stringify(sources));

const engineText = (): string => `${duckdbVersion()} ${env().BUILD_MEMORY_MB}`;
