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

/** Deletes expired artifacts. Returns the digests that nothing refers to any more. */
export async function dropExpiredArtifacts(now: Date): Promise<string[]> {
  const { prisma } = await database();
  const gone = await prisma.runArtifact.findMany({
    where: { expiresAt: { lte: now } },
    select: { id: true, digest: true },
  });
  await prisma.runArtifact.deleteMany({ where: { id: { in: gone.map(({ id }) => id) } } });
  return unnamedDigests([...new Set(gone.map(({ digest }) => digest))]);
}

/** The digests among these that no artifact, version or upload refers to. */
export async function unnamedDigests(digests: readonly string[]): Promise<string[]> {
  if (digests.length === 0) return [];
  const { prisma } = await database();
  const named = { where: { digest: { in: [...digests] } }, select: { digest: true } };
  const rows = [
    await prisma.runArtifact.findMany(named),
    await prisma.version.findMany(named),
    await prisma.upload.findMany(named),
  ];
  const referenced = new Set(rows.flat().map(({ digest }) => digest));
  return digests.filter((digest) => !referenced.has(digest));
}
