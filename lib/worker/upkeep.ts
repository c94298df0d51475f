import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { redact } from "@/lib/http/redact";
import { forEachAlone } from "@/lib/kernel/each-alone";
import { env } from "@/lib/kernel/env";
import { whenMissing } from "@/lib/kernel/missing-file";
import { storeVerdicts } from "@/lib/operations/freshness/store-verdicts";
import { runSchedules } from "@/lib/operations/refresh/run-schedules";
import { readMissingValues } from "@/lib/publish/read-values";
import { UPKEEP, type UpkeepStep } from "@/lib/schemas/upkeep";
import { artifactStore, blobStore } from "@/lib/storage/blob-store";
import { runsDir } from "@/lib/storage/paths";
import { removeTempLeftovers } from "@/lib/storage/temp-leftovers";
import { withBlobsLock } from "@/lib/store/datasets/versions";
import { forgetExpired } from "@/lib/store/forget-expired";
import { tidyDeliveries } from "@/lib/store/news/deliveries";
import { tidyNews } from "@/lib/store/news/news";
import { storable } from "@/lib/store/postgres/stored-json";
import { deleteArtifacts, expiredArtifacts } from "@/lib/store/runs/artifacts";
import { busyFolders, expireRuns, requeueLostRuns } from "@/lib/store/runs/run-upkeep";
import { busyInspections, tidyInspections } from "@/lib/store/sources/inspections";
import { dropOldObservations } from "@/lib/store/sources/observations";
import { removeLostParts, removeUnfinishedBefore } from "@/lib/store/sources/unfinished-uploads";
import { dropUnreadUploads } from "@/lib/store/sources/uploads";
import { recordUpkeep } from "@/lib/store/upkeep-failures";
import { removeRunFolder } from "./runs/unrecorded";
import { removeOldSnapshots } from "./sources/old-snapshots";

const EVERY_MS = 15_000;
const DAY_MS = 86_400_000;
const UNFINISHED_DAYS = 2;

/**
 * Keeps runs, artifacts and folders in order, every 15 seconds; several workers may do so. Returns a stop function,
 * which waits for a round in progress, but no longer than `late`: the round would reopen the database after it was
 * closed.
 */
export function startUpkeep(
  onError: (error: unknown) => void,
  everyMs = EVERY_MS,
): (late: Promise<unknown>) => Promise<void> {
  let round: Promise<void> | undefined;
  const timer = setInterval(() => {
    round ??= runUpkeep(new Date())
      .catch(onError)
      .finally(() => {
        round = undefined;
      });
  }, everyMs);
  timer.unref();
  return async (late) => {
    clearInterval(timer);
    await Promise.race([round, late]);
  };
}

const STEPS: Readonly<Record<UpkeepStep, (now: Date) => Promise<unknown>>> = {
  schedules: runSchedules,
  standings: storeVerdicts,
  expired_runs: expireRuns,
  lost_runs: requeueLostRuns,
  table_values: readMissingValues,
  inspections: tidyInspections,
  deliveries: tidyDeliveries,
  news: tidyNews,
  expired: forgetExpired,
  observations: dropOldObservations,
  uploads: removeUnreadUploads,
  artifacts: removeOldArtifacts,
  upload_parts: removeOldParts,
  snapshots: removeOldSnapshots,
  run_folders: removeOldFolders,
  temp_files: removeTempLeftovers,
};

/**
 * One round: due refreshes begin, late runs expire, lost ones are queued again, what nothing needs any more is removed.
 * A step that fails keeps no other from being done; it is recorded, for the status page and `doctor`, and all failures
 * are thrown together at the end.
 */
export async function runUpkeep(now: Date): Promise<void> {
  const failed = new Map<string, string>();
  const steps = (Object.keys(UPKEEP) as UpkeepStep[]).map((name) => async () => {
    try {
      await STEPS[name](now);
    } catch (error) {
      failed.set(name, reasonOf(error));
      throw error;
    }
  });
  await forEachAlone([...steps, () => recordUpkeep(failed, now)], (step) => step());
}

const REASON_MAX = 500;

/** The first reason, if a step failed at several things. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return storable(redact(first instanceof Error ? first.message : String(first)).slice(0, REASON_MAX));
}

/** Files that no run ever read: stored by mistake, or for a recipe that was never written. */
async function removeUnreadUploads(now: Date): Promise<void> {
  const unreadSince = new Date(now.getTime() - env().UPLOAD_DAYS * DAY_MS);
  await withBlobsLock(async () =>
    forEachAlone(await dropUnreadUploads(unreadSince), (digest) => blobStore().remove(digest)),
  );
}

/** The bytes of an artifact are a blob, or an artifact of their own if they are text. */
async function removeOldArtifacts(now: Date): Promise<void> {
  await withBlobsLock(async () => {
    const { ids, digests } = await expiredArtifacts(now);
    const removals = digests.flatMap((digest) => [
      () => blobStore().remove(digest),
      () => artifactStore().remove(digest),
    ]);
    await forEachAlone(removals, (remove) => remove());
    await deleteArtifacts(ids);
  });
}

/** Removes files whose last part arrived long ago, and once an hour what belongs to no file. */
async function removeOldParts(now: Date): Promise<void> {
  const before = new Date(now.getTime() - UNFINISHED_DAYS * DAY_MS);
  await removeUnfinishedBefore(before);
  if (now.getUTCMinutes() === 0) await removeLostParts(before);
}

/** Folders are named `<id>.<fence>`. All except those of a run or an inspection in progress are leftovers. */
async function removeOldFolders(): Promise<void> {
  const names = await readdir(runsDir()).catch(whenMissing<string[]>([]));
  if (names.length === 0) return;
  const inUse = new Set([...(await busyFolders()), ...(await busyInspections())]);
  const left = names.filter((name) => !inUse.has(name));
  await forEachAlone(left, (name) => removeRunFolder(join(runsDir(), name)));
}
