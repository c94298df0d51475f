import { forEachAlone } from "@/lib/kernel/each-alone";
import type { Blob } from "@/lib/storage/blobs";
import { objectStore } from "@/lib/storage/drivers";
import type { Stray } from "@/lib/storage/object-store";
import { database } from "@/lib/store/postgres/database";
import type { UnfinishedUpload } from "@/prisma/generated/client";

/** A file that arrives in parts, identified within its workspace by its final digest and size. */
export interface UnfinishedFile {
  workspaceId: string;
  /** SHA-256 of the whole file, 64 hex digits. */
  digest: string;
  totalBytes: number;
}

/** The names of a file: in recipes, and on the computer that it comes from. */
export interface FileNames {
  name: string;
  fileName: string;
}

/** What is stored of a file; the names are those sent with its first part. */
export interface StoredParts extends UnfinishedFile, FileNames {
  id: string;
  /** Counted from its start. */
  storedBytes: number;
  /** The size of each part, in order. */
  parts: readonly number[];
  changedAt: Date;
}

const PLACE = "uploads/";
const placeOf = (id: string): string => `${PLACE}${id}/`;
const keyOf = (id: string, start: number, bytes: number): string => `${placeOf(id)}${start}-${bytes}`;
const READ_BYTES = 1 << 20;

const partsOf = ({ totalBytes, storedBytes, ...row }: UnfinishedUpload): StoredParts => ({
  ...row,
  totalBytes: Number(totalBytes),
  storedBytes: Number(storedBytes),
});

/** What is stored of a file; undefined if nothing is. */
export async function findUnfinished(file: UnfinishedFile): Promise<StoredParts | undefined> {
  const { prisma } = await database();
  const { workspaceId, digest, totalBytes } = file;
  const row = await prisma.unfinishedUpload.findFirst({ where: { workspaceId, digest, totalBytes } });
  return row ? partsOf(row) : undefined;
}

/** Begins a file of which nothing is stored, under the workspace's lock for uploads. */
export async function beginUnfinished(file: UnfinishedFile, names: FileNames, now: Date): Promise<StoredParts> {
  const { prisma } = await database();
  const { workspaceId, digest, totalBytes } = file;
  const { name, fileName } = names;
  const data = { workspaceId, digest, totalBytes, name, fileName, changedAt: now };
  return partsOf(await prisma.unfinishedUpload.create({ data }));
}

/**
 * Stores the next part of a file and returns how many bytes are stored now; undefined if another part was stored there
 * first, on whichever instance. The part's own file may be gone afterwards.
 */
export async function addPart(
  { id, storedBytes: start }: StoredParts,
  { path, digest, bytes }: Blob & { path: string },
  now: Date,
): Promise<number | undefined> {
  const { prisma, pool } = await database();
  const key = keyOf(id, start, bytes);
  await objectStore().put(key, digest, path);
  const { rowCount } = await pool.query(
    `UPDATE "UnfinishedUpload" SET "storedBytes" = "storedBytes" + $3, parts = parts || $3::integer, "changedAt" = $4
     WHERE id = $1::uuid AND "storedBytes" = $2`,
    [id, start, bytes, now],
  );
  if (rowCount === 1) return start + bytes;
  const row = await prisma.unfinishedUpload.findUnique({ where: { id } });
  if (!row || !keysOf(partsOf(row)).includes(key)) await objectStore().remove(key);
  return undefined;
}

function keysOf({ id, parts }: StoredParts): string[] {
  let start = 0;
  return parts.map((bytes) => {
    start += bytes;
    return keyOf(id, start - bytes, bytes);
  });
}

/** The bytes of all parts, in order. Rejects with ENOENT if one is missing. */
export async function* readParts(file: StoredParts): AsyncGenerator<Buffer> {
  for (const key of keysOf(file)) {
    const part = await objectStore().open(key);
    try {
      for (let position = 0; position < part.bytes; ) {
        const chunk = Buffer.allocUnsafe(Math.min(READ_BYTES, part.bytes - position));
        const { bytesRead } = await part.read(chunk, 0, chunk.length, position);
        if (bytesRead === 0) break; // it has become shorter: the digest tells
        position += bytesRead;
        yield chunk.subarray(0, bytesRead);
      }
    } finally {
      await part.close();
    }
  }
}

/** The unfinished files of all workspaces or of one. */
export async function listUnfinished(workspaceId?: string): Promise<StoredParts[]> {
  const { prisma } = await database();
  const where = workspaceId === undefined ? {} : { workspaceId };
  return (await prisma.unfinishedUpload.findMany({ where, orderBy: { changedAt: "desc" } })).map(partsOf);
}

/** Removes what is stored of a file. */
export async function removeUnfinished({ id }: StoredParts): Promise<void> {
  const { prisma } = await database();
  await prisma.unfinishedUpload.deleteMany({ where: { id } });
  await objectStore().removeAll(placeOf(id));
}

/** Forgets all unfinished files, after a restore: backups contain no parts. */
export async function forgetUnfinished(): Promise<void> {
  const { prisma } = await database();
  await prisma.unfinishedUpload.deleteMany({});
}

/** Removes the files whose last part arrived before a time. */
export async function removeUnfinishedBefore(before: Date): Promise<void> {
  const { prisma } = await database();
  const isOld = { changedAt: { lt: before } };
  const old = await prisma.unfinishedUpload.findMany({ where: isOld, select: { id: true } });
  await forEachAlone(old, async ({ id }) => {
    const { count } = await prisma.unfinishedUpload.deleteMany({ where: { id, ...isOld } });
    if (count === 1) await objectStore().removeAll(placeOf(id));
  });
}

/** Removes what was stored before a time and belongs to no file: parts of deleted workspaces, and of kills. */
export async function removeLostParts(before: Date): Promise<void> {
  const store = objectStore();
  const lost: Pick<Stray, "name" | "remove">[] = [];
  for await (const { key: name, changedAtMs } of store.list(PLACE))
    if (changedAtMs < before.getTime()) lost.push({ name, remove: () => store.remove(name) });
  for await (const stray of store.strays(PLACE)) if (stray.changedAtMs < before.getTime()) lost.push(stray);
  if (lost.length === 0) return;
  const kept = new Set((await listUnfinished()).flatMap(keysOf));
  await forEachAlone(
    lost.filter(({ name }) => !kept.has(name)),
    ({ remove }) => remove(),
  );
}
