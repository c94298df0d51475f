import { forEachAlone } from "@/lib/kernel/each-alone";
import { env } from "@/lib/kernel/env";
import { formatBinaryBytes } from "@/lib/kernel/format";
import { snapshotStore } from "@/lib/storage/blob-store";
import type { Stray } from "@/lib/storage/object-store";
import { withBlobsLock } from "@/lib/store/datasets/versions";
import { dropOldSnapshots, dropSnapshotsFor, hasOldSnapshots, snapshotBytesWith } from "@/lib/store/sources/snapshots";
import { missingDigests } from "@/lib/store/sources/source-reads";
import { RunFailure } from "@/lib/worker/runs/run-failure";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;

/**
 * Removes snapshots that were last used SNAPSHOT_DAYS ago, unless the next refresh of a dataset may need them. Also
 * removes bytes that no snapshot names, as a deleted workspace leaves them, from one folder a minute.
 */
export async function removeOldSnapshots(now: Date): Promise<void> {
  const before = new Date(now.getTime() - env().SNAPSHOT_DAYS * DAY_MS);
  if (await hasOldSnapshots(before)) await withBlobsLock(async () => removeUnused(await dropOldSnapshots(before, now)));
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  await removeUnnamed((minute % 256).toString(16).padStart(2, "0"), now);
}

/** Bytes younger than an hour may belong to a read that is about to be recorded. */
async function removeUnnamed(start: string, now: Date): Promise<void> {
  const isOld = ({ changedAtMs }: { changedAtMs: number }) => now.getTime() - changedAtMs > HOUR_MS;
  const old: string[] = [];
  for await (const found of snapshotStore().list(start)) if (isOld(found)) old.push(found.digest);
  const strays: Stray[] = [];
  for await (const stray of snapshotStore().strays(start)) if (isOld(stray)) strays.push(stray);
  if (strays.length === 0 && (await missingDigests(old)).length === 0) return;
  await withBlobsLock(async () => {
    await forEachAlone(strays, (stray) => stray.remove());
    await removeUnused(old);
  });
}

/** Under the lock: nobody stores a snapshot meanwhile. Another workspace may have the same bytes. */
export async function removeUnused(digests: readonly string[]): Promise<void> {
  await forEachAlone(await missingDigests(digests), (digest) => snapshotStore().remove(digest));
}

interface Wanted {
  workspaceId: string;
  digest: string;
  bytes: number;
  /** When the run began that stores it: what it has used since must remain. */
  since: Date;
}

/**
 * Makes room for a snapshot within the workspace's SNAPSHOT_MB by removing older ones. Throws quota_exhausted if those
 * that refreshes need leave none.
 */
export async function makeSnapshotRoom({ since, ...wanted }: Wanted): Promise<void> {
  const bytesMax = env().SNAPSHOT_MB * MIB;
  if ((await snapshotBytesWith(wanted)) <= bytesMax) return;
  await withBlobsLock(async () => removeUnused(await dropSnapshotsFor(wanted, { bytesMax, since })));
  if ((await snapshotBytesWith(wanted)) <= bytesMax) return;
  throw new RunFailure(
    "quota_exhausted",
    `No room for another ${formatBinaryBytes(wanted.bytes)} of source bytes: refreshes of this workspace need nearly ` +
      `all of its ${formatBinaryBytes(bytesMax)}. Delete datasets, or ask your administrator to raise SNAPSHOT_MB.`,
  );
}
