import type { KeyKind } from "@/prisma/generated/client";
import { database, lookUp } from "./database";

export interface StoredKey {
  id: string;
  kind: KeyKind;
  name: string;
  first4: string;
  last4: string;
  workspaceId: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

const COLUMNS = `id, kind::text AS kind, name, first4, last4, "workspaceId", "createdAt", "lastUsedAt", "expiresAt", "revokedAt"`;

/** The key with this hash, revoked and expired ones included. One round trip. */
export async function findKey(hash: Uint8Array): Promise<StoredKey | undefined> {
  const [key] = await lookUp<StoredKey>("find-key", `SELECT ${COLUMNS} FROM "AccessKey" WHERE hash = $1`, [hash]);
  return key;
}

/** Notes that a key was used, at most once a minute. */
export async function touchKey(id: string, now: Date): Promise<void> {
  const { pool } = await database();
  await pool.query(
    `UPDATE "AccessKey" SET "lastUsedAt" = $2::timestamptz WHERE id = $1::uuid AND ("lastUsedAt" IS NULL OR "lastUsedAt" < $2::timestamptz - interval '1 minute')`,
    [id, now],
  );
}

/** The person's personal workspace; person and workspace are made when missing. `email` is in lower case. */
export async function ensurePerson(email: string): Promise<{ userId: string; workspaceId: string }> {
  const { prisma } = await database();
  return prisma.$transaction(async (transaction) => {
    await transaction.$executeRaw`INSERT INTO "User" (id, email) VALUES (gen_random_uuid(), ${email}) ON CONFLICT (email) DO NOTHING`;
    await transaction.$queryRaw`SELECT id FROM "User" WHERE email = ${email} FOR UPDATE`; // two at once make one workspace
    const user = await transaction.user.findUniqueOrThrow({ where: { email }, include: { memberships: { where: { workspace: { personal: true } } } } });
    const own = user.memberships[0];
    if (own) return { userId: user.id, workspaceId: own.workspaceId };
    const workspace = await transaction.workspace.create({
      data: { name: email, personal: true, memberships: { create: { userId: user.id, role: "owner" } } },
    });
    return { userId: user.id, workspaceId: workspace.id };
  });
}

export interface NewKey {
  kind: KeyKind;
  hash: Uint8Array<ArrayBuffer>;
  first4: string;
  last4: string;
  name: string;
  userId: string;
  workspaceId: string;
  expiresAt: Date | null;
}

export async function insertKey(key: NewKey): Promise<{ id: string; createdAt: Date }> {
  const { prisma } = await database();
  return prisma.accessKey.create({ data: key, select: { id: true, createdAt: true } });
}

/** Keys of one person, or of everybody, newest first, with the person's address. */
export async function listKeys(email?: string): Promise<(StoredKey & { email: string | null })[]> {
  const { prisma } = await database();
  const keys = await prisma.accessKey.findMany({
    where: email ? { user: { email } } : {},
    orderBy: { createdAt: "desc" },
    omit: { hash: true },
    include: { user: { select: { email: true } } },
  });
  return keys.map(({ user, ...key }) => ({ ...key, email: user?.email ?? null }));
}

/** Revokes a key for good; false when there is no such key. Revoking twice keeps the first time. */
export async function revokeKey(id: string, now: Date): Promise<boolean> {
  const { pool } = await database();
  const { rowCount } = await pool.query(`UPDATE "AccessKey" SET "revokedAt" = COALESCE("revokedAt", $2::timestamptz) WHERE id = $1::uuid`, [id, now]);
  return rowCount === 1;
}
