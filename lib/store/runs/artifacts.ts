import { isUuid } from "@/lib/kernel/uuid";
import type { StoredColumn } from "@/lib/schemas/column";
import type { Transaction } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import type { ArtifactKind, Prisma, RunArtifact } from "@/prisma/generated/client";

export interface NewArtifact {
  kind: ArtifactKind;
  table?: string | undefined;
  name: string;
  mediaType: string;
  bytes: number;
  /** SHA-256, 64 hex digits. */
  digest: string;
  /** Set for a table. */
  columns?: readonly StoredColumn[] | undefined;
  rows?: number | undefined;
  expiresAt: Date;
}

/** Records a run's artifacts. Earlier ones with the same name expire, so the upkeep removes their bytes. */
export async function addArtifacts(
  transaction: Transaction,
  runId: string,
  artifacts: readonly NewArtifact[],
  now: Date,
): Promise<void> {
  const earlier = { runId, name: { in: artifacts.map(({ name }) => name) }, expiresAt: { gt: now } };
  await transaction.runArtifact.updateMany({ where: earlier, data: { expiresAt: now } });
  await transaction.runArtifact.createMany({
    data: artifacts.map(({ table, columns, rows, ...artifact }) => ({
      ...artifact,
      runId,
      tableSlug: table ?? null,
      rows: rows ?? null,
      ...(columns && { columns: columns as unknown as Prisma.InputJsonValue }),
      createdAt: now,
    })),
  });
}

export async function listArtifacts(runId: string, now: Date): Promise<RunArtifact[]> {
  const { prisma } = await database();
  return prisma.runArtifact.findMany({
    where: { runId, expiresAt: { gt: now } },
    orderBy: [{ kind: "asc" }, { name: "asc" }],
  });
}

/** An artifact of a workspace's run that has not expired; undefined for anything else alike. */
export async function findArtifact(workspaceId: string, id: string, now: Date): Promise<RunArtifact | undefined> {
  if (!isUuid(id)) return undefined;
  const { prisma } = await database();
  return (
    (await prisma.runArtifact.findFirst({ where: { id, run: { workspaceId }, expiresAt: { gt: now } } })) ?? undefined
  );
}

/** The rows around steps that the newest sample of a dataset kept, with the revision that it was made from. */
export async function findStepPreviews(datasetId: string, now: Date) {
  const { prisma } = await database();
  const found = await prisma.runArtifact.findFirst({
    where: { kind: "step_previews", run: { datasetId }, expiresAt: { gt: now } },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    include: { run: { select: { id: true, revision: { select: { number: true, document: true } } } } },
  });
  return found ?? undefined;
}

/** The ids of expired artifacts, and the digests that nothing else refers to. */
export async function expiredArtifacts(now: Date): Promise<{ ids: string[]; digests: string[] }> {
  const { prisma } = await database();
  const gone = await prisma.runArtifact.findMany({
    where: { expiresAt: { lte: now } },
    select: { id: true, digest: true },
  });
  const digests = await unnamedDigests([...new Set(gone.map(({ digest }) => digest))], now);
  return { ids: gone.map(({ id }) => id), digests };
}

/** Deletes artifacts, once their bytes are gone: after a kill in between, they are found again. */
export async function deleteArtifacts(ids: readonly string[]): Promise<void> {
  const { prisma } = await database();
  await prisma.runArtifact.deleteMany({ where: { id: { in: [...ids] } } });
}

/** The digests among these that no version or upload refers to, nor an artifact (unexpired, if there is a time). */
export async function unnamedDigests(digests: readonly string[], now?: Date): Promise<string[]> {
  if (digests.length === 0) return [];
  const { prisma } = await database();
  const digest = { in: [...digests] };
  const named = { where: { digest }, select: { digest: true } };
  const unexpired = now && { expiresAt: { gt: now } };
  const rows = [
    await prisma.runArtifact.findMany({ ...named, where: { digest, ...unexpired } }),
    await prisma.version.findMany(named),
    await prisma.upload.findMany(named),
  ];
  const referenced = new Set(rows.flat().map((row) => row.digest));
  return digests.filter((each) => !referenced.has(each));
}
