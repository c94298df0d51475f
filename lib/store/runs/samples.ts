import type { RunResult } from "@/lib/schemas/run";
import { database } from "@/lib/store/postgres/database";
import { storeLock } from "@/lib/store/recipes/revisions";
import type { Prisma } from "@/prisma/generated/client";
import { addArtifacts, type NewArtifact } from "./artifacts";
import type { RunClaim } from "./run-claims";
import { takeStep } from "./run-transitions";

export interface FinishedSample {
  result: RunResult;
  artifacts: readonly NewArtifact[];
  /** Canonical JSON text. */
  lock: string;
  recipeDigest: string;
  message: string;
  expiresAt: Date;
  now: Date;
}

/** Stores what a build produced that failed because of its data. Does nothing if another worker has the run. */
export async function storeFailure(
  { id, fence }: RunClaim,
  { result, artifacts, now }: Pick<FinishedSample, "result" | "artifacts" | "now">,
): Promise<void> {
  const { prisma } = await database();
  await prisma.$transaction(async (transaction) => {
    const sample = result as unknown as Prisma.InputJsonObject;
    const { count } = await transaction.run.updateMany({ where: { id, fence }, data: { sample } });
    if (count > 0) await addArtifacts(transaction, id, artifacts, now);
  });
}

/** Records a sample, which then waits for approval; false if another worker has the run. */
export async function finishSample(run: RunClaim & { revisionId: string }, finished: FinishedSample): Promise<boolean> {
  const { result, artifacts, lock, recipeDigest, message, expiresAt, now } = finished;
  const { prisma } = await database();
  return prisma.$transaction(async (transaction) => {
    const sample = result as unknown as Prisma.InputJsonObject;
    const set = { sample, recipeDigest, expiresAt, progress: {}, attempt: 0 };
    const data = { recipe_digest: recipeDigest };
    const step = { runId: run.id, fence: run.fence, now, message, data, set };
    if (!(await takeStep(transaction, "finish_sample", step))) return false;
    await addArtifacts(transaction, run.id, artifacts, now);
    await storeLock(transaction, run.revisionId, { lock, recipeDigest });
    return true;
  });
}
