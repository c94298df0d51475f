import { database } from "@/lib/store/postgres/database";

export interface SourcePart {
  datasetId: string;
  source: string;
  /** Empty for a source that is one piece. */
  partition: string;
  /** Hex digest of the request: a different URL has different bytes. */
  requestDigest: string;
}

/** What is stored of the last good read of a part of a source. */
export interface StoredPartition {
  rawDigest: string;
  rowsDigest: string | null;
  etag: string | null;
  lastModified: string | null;
}

const keyOf = ({ datasetId, source, partition, requestDigest }: SourcePart) => ({
  ...{ datasetId, source },
  partition: `${partition}#${requestDigest}`,
});

export async function findPartition(part: SourcePart): Promise<StoredPartition | undefined> {
  const { prisma } = await database();
  const found = await prisma.sourcePartition.findUnique({ where: { datasetId_source_partition: keyOf(part) } });
  return found ?? undefined;
}

interface About extends SourcePart {
  runId: string;
  now: Date;
  ms: number;
}

interface GoodRead extends About {
  workspaceId: string;
  /** Set if the observation has a different time than the read. */
  seenAt?: Date | undefined;
  read: {
    outcome: "read" | "not_modified";
    status: number;
    finalAddress: string;
    etag: string | null;
    lastModified: string | null;
    mediaType: string | null;
    digest: string;
    bytes: number;
    isCut: boolean;
    license: string | null;
  };
  /** Size of the stored bytes, of which a 304 sends none. */
  snapshotBytes: number;
}

export type ReadHow = "first" | "not_modified" | "same_bytes" | "new_rows";

/** Records a good read. Bytes that were cut, as for a sample, do not count as an observation of the source. */
export async function recordGoodRead({
  workspaceId,
  seenAt,
  read,
  snapshotBytes,
  ...about
}: GoodRead): Promise<ReadHow> {
  const { runId, now, ms, ...part } = about;
  const { prisma } = await database();
  const before = await findPartition(part);
  const how = howOf(read, before);
  if (read.isCut) return how;
  const { digest, status, etag, lastModified, bytes, finalAddress, license } = read;
  const mediaType = read.mediaType ?? "";
  const stored = { rawDigest: digest, etag, lastModified, mediaType, readAt: now };
  await prisma.$transaction([
    prisma.sourceObservation.create({
      data: {
        ...{ datasetId: part.datasetId, source: part.source, partition: part.partition || null },
        ...{ at: seenAt ?? now, runId, outcome: "ok", changed: how === "first" || how === "new_rows", how },
        ...{ address: finalAddress, status, etag, lastModified, rawDigest: digest, bytes, ms, license },
      },
    }),
    prisma.sourcePartition.upsert({
      where: { datasetId_source_partition: keyOf(part) },
      create: { ...keyOf(part), ...stored },
      update: read.outcome === "not_modified" ? { readAt: now } : { ...stored, rowsDigest: null },
    }),
    prisma.sourceSnapshot.upsert({
      where: { workspaceId_digest: { workspaceId, digest } },
      create: { workspaceId, digest, bytes: snapshotBytes, mediaType, storedAt: now, usedAt: now },
      update: { usedAt: now },
    }),
  ]);
  return how;
}

interface LocalRead extends About {
  digest: string;
  bytes: number;
  mediaType: string;
}

/** Records a read of bytes that the service already stores, so that they need no snapshot. */
export async function recordLocalRead({
  digest,
  bytes,
  mediaType,
  runId,
  now,
  ms,
  ...part
}: LocalRead): Promise<ReadHow> {
  const { prisma } = await database();
  const how = howOf({ outcome: "read", digest }, await findPartition(part));
  const stored = { rawDigest: digest, etag: null, lastModified: null, mediaType, readAt: now };
  const { datasetId, source, partition } = part;
  const changed = how === "first" || how === "new_rows";
  await prisma.$transaction([
    prisma.sourceObservation.create({
      data: {
        ...{ datasetId, source, partition: partition || null, at: now, runId, outcome: "ok", changed, how },
        ...{ rawDigest: digest, bytes, ms },
      },
    }),
    prisma.sourcePartition.upsert({
      where: { datasetId_source_partition: keyOf(part) },
      create: { ...keyOf(part), ...stored },
      update: { ...stored, ...(changed && { rowsDigest: null }) },
    }),
  ]);
  return how;
}

function howOf(
  { outcome, digest }: Pick<GoodRead["read"], "outcome" | "digest">,
  before: StoredPartition | undefined,
): ReadHow {
  if (outcome === "not_modified") return "not_modified";
  if (!before) return "first";
  return before.rawDigest === digest ? "same_bytes" : "new_rows";
}

/** Corrects the records of reads with new bytes: once decoded, their rows are the same. */
export async function recordSameRows(runId: string, sources: readonly string[]): Promise<void> {
  const { prisma } = await database();
  await prisma.sourceObservation.updateMany({
    where: { runId, source: { in: [...sources] }, how: "new_rows" },
    data: { how: "same_rows", changed: false },
  });
}

/** Corrects the record of a read whose bytes turned out not to be the source's data: it failed. */
export async function recordUnreadable(runId: string, source: string, failure: string): Promise<void> {
  const { prisma } = await database();
  await prisma.sourceObservation.updateMany({
    where: { runId, source },
    data: { outcome: "failed", changed: null, failureCode: failure },
  });
}

/** Records a read that failed. */
export async function recordFailedRead({
  runId,
  now,
  ms,
  failure,
  ...part
}: About & { failure: string }): Promise<void> {
  const { prisma } = await database();
  const { datasetId, source, partition } = part;
  await prisma.sourceObservation.create({
    data: {
      ...{ datasetId, source, partition: partition || null, at: now, runId, outcome: "failed", how: "first", ms },
      failureCode: failure,
    },
  });
}

/** The digests among these that are in no stored snapshot. */
export async function missingDigests(digests: readonly string[]): Promise<string[]> {
  const { prisma } = await database();
  const snapshots = await prisma.sourceSnapshot.findMany({ where: { digest: { in: [...digests] } } });
  const known = new Set(snapshots.map(({ digest }) => digest));
  return digests.filter((digest) => !known.has(digest));
}
