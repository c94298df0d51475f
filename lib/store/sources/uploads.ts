import { type Author, audited } from "@/lib/store/audit";
import { withLocks } from "@/lib/store/postgres/advisory-lock";
import { database } from "@/lib/store/postgres/database";
import { wakeForUpload } from "@/lib/store/recipes/schedules";
import { unnamedDigests } from "@/lib/store/runs/artifacts";
import type { Prisma, Upload } from "@/prisma/generated/client";

export type StoredUpload = Upload;

const NEWEST = [{ at: "desc" }, { id: "desc" }] as const satisfies Prisma.UploadOrderByWithRelationInput[];

/** The newest file under a name in a workspace, or the one with a digest; undefined if there is none. */
export async function findUpload(
  workspaceId: string,
  name: string,
  digest?: string | undefined,
): Promise<StoredUpload | undefined> {
  const { prisma } = await database();
  const where = { workspaceId, name, ...(digest !== undefined && { digest }) };
  return (await prisma.upload.findFirst({ where, orderBy: [...NEWEST] })) ?? undefined;
}

/** Every upload of a workspace, by name, newest first. */
export async function listUploads(workspaceId: string, most: number): Promise<StoredUpload[]> {
  const { prisma } = await database();
  return prisma.upload.findMany({ where: { workspaceId }, orderBy: [{ name: "asc" }, ...NEWEST], take: most });
}

/** The names of a workspace's uploads. */
export async function uploadNames(workspaceId: string, most: number): Promise<string[]> {
  const { prisma } = await database();
  const rows = await prisma.upload.findMany({
    where: { workspaceId },
    distinct: ["name"],
    orderBy: { name: "asc" },
    select: { name: true },
    take: most,
  });
  return rows.map(({ name }) => name);
}

/** The disk space of a workspace's uploads. Each file counts once, however many names it has. */
export async function uploadedBytes(workspaceId: string, exceptDigest = ""): Promise<number> {
  const { pool } = await database();
  const { rows } = await pool.query<{ bytes: number }>(
    `SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM (SELECT DISTINCT digest, bytes FROM "Upload"
     WHERE "workspaceId" = $1::uuid AND digest <> $2) each`,
    [workspaceId, exceptDigest],
  );
  return rows[0]?.bytes ?? 0;
}

/** Runs `work` while nobody else stores an upload of the workspace, and nobody removes blobs. */
export const withUploadLock = <T>(workspaceId: string, work: () => Promise<T>): Promise<T> =>
  withLocks(
    {
      sql: "SELECT pg_advisory_lock_shared(hashtextextended('blobs', 0)), pg_advisory_lock(hashtextextended($1, 0))",
      values: [`uploads ${workspaceId}`],
    },
    work,
  );

export type NewUpload = Omit<Prisma.UploadUncheckedCreateInput, "id" | "readAt" | "bytes" | "actor" | "at"> & {
  bytes: number;
  actor: Prisma.InputJsonObject;
  at: Date;
};

/**
 * Records a file whose bytes are stored, and starts runs of datasets that read its name, if they request it. Storing
 * the newest file of its name again only updates its time.
 */
export async function recordUpload(
  upload: NewUpload,
  author: Author,
): Promise<{ upload: StoredUpload; again: boolean }> {
  const { workspaceId, name, digest, bytes, fileName, at } = upload;
  const newest = await findUpload(workspaceId, name);
  return audited(author, async (transaction, audit) => {
    const again = newest?.digest === digest;
    const stored = again
      ? await transaction.upload.update({ where: { id: newest.id }, data: { at, actor: upload.actor } })
      : await transaction.upload.create({ data: upload });
    await wakeForUpload(transaction, { workspaceId, name, at });
    audit({
      ...{ action: "upload.stored", subject: name, workspaceId },
      details: { content_digest: `sha256:${digest}`, bytes, ...(fileName !== "" && { file_name: fileName }), again },
    });
    return { upload: stored, again };
  });
}

/** Records that a run read the upload, so it is kept. */
export async function recordUploadRead(id: string, now: Date): Promise<void> {
  const { prisma } = await database();
  await prisma.upload.updateMany({ where: { id }, data: { readAt: now } });
}

/**
 * Deletes the files under a name, or the one with a digest. Returns their number, and the blobs that nothing refers to
 * now.
 */
export async function deleteUploads(
  { workspaceId, name, digest }: { workspaceId: string; name: string; digest: string | undefined },
  author: Author,
): Promise<{ deleted: number; unnamed: string[] }> {
  const deleted = await audited(author, async (transaction, audit) => {
    const where = { workspaceId, name, ...(digest !== undefined && { digest }) };
    const rows = await transaction.upload.findMany({ where, select: { id: true, digest: true } });
    if (rows.length === 0) return [];
    await transaction.upload.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
    audit({
      ...{ action: "upload.deleted", subject: name, workspaceId },
      details: { files: rows.length, ...(digest !== undefined && { content_digest: `sha256:${digest}` }) },
    });
    return rows.map((row) => row.digest);
  });
  return { deleted: deleted.length, unnamed: await unnamedDigests([...new Set(deleted)]) };
}

/** The digests of all uploads of these workspaces. */
export async function uploadDigests(workspaceIds: readonly string[]): Promise<string[]> {
  const { prisma } = await database();
  const where = { workspaceId: { in: [...workspaceIds] } };
  return (await prisma.upload.findMany({ where, distinct: ["digest"], select: { digest: true } })).map(
    ({ digest }) => digest,
  );
}

/** Deletes files stored before `before` that no run has read. Returns the blobs that nothing refers to now. */
export async function dropUnreadUploads(before: Date): Promise<string[]> {
  const { prisma } = await database();
  const where = { readAt: null, at: { lt: before } };
  const gone = await prisma.upload.findMany({ where, select: { id: true, digest: true } });
  if (gone.length === 0) return [];
  await prisma.upload.deleteMany({ where: { id: { in: gone.map(({ id }) => id) }, readAt: null } });
  return unnamedDigests([...new Set(gone.map(({ digest }) => digest))]);
}
