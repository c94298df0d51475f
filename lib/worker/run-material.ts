import { type ReadRecipe, readRecipe } from "@/lib/builds/document/read-recipe";
import type { Lock } from "@/lib/builds/lock";
import { type BuiltDataset, findBuiltDataset } from "@/lib/store/builds/built-datasets";
import { findRevisionById, type StoredRevision } from "@/lib/store/builds/revisions";
import type { ClaimedRun } from "@/lib/store/builds/run-claims";
import { findRun, type StoredRun } from "@/lib/store/builds/runs";
import { RunFailure } from "./run-failure";

/** What a run is made from. */
export interface RunMaterial {
  run: ClaimedRun;
  dataset: BuiltDataset;
  revision: StoredRevision;
  document: ReadRecipe;
  /** Of the revision; null where its first sample has yet to make it. */
  lock: Lock | null;
  mode: "sample" | "full";
  /** The run's own "now", the same on every attempt. */
  now: Date;
  /** Of a replay: the run whose bytes are read again. */
  replayed: StoredRun | undefined;
}

/** Whether a run makes again, under the same recipe, what another one made. */
export const repeats = ({ run, replayed }: Pick<RunMaterial, "run" | "replayed">): boolean =>
  replayed !== undefined && replayed.recipeDigest !== null && replayed.recipeDigest === run.recipeDigest;

export async function materialOf(run: ClaimedRun): Promise<RunMaterial> {
  const [dataset, revision] = await Promise.all([
    findBuiltDataset(run.workspaceId, run.datasetId),
    findRevisionById(run.revisionId),
  ]);
  if (!dataset || !revision) throw new RunFailure("internal", "The dataset or its recipe was deleted meanwhile.");
  const { now } = run.plan as { now?: string };
  const replayed = run.basedOnRunId === null ? undefined : await findRun(run.workspaceId, run.basedOnRunId);
  return {
    run,
    dataset,
    revision,
    document: readRecipe(revision.document),
    lock: revision.lock === null ? null : (JSON.parse(revision.lock) as Lock),
    mode: run.state === "running" ? "sample" : "full",
    now: now === undefined ? run.createdAt : new Date(now),
    replayed,
  };
}
