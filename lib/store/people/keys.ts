import { fail } from "@/lib/kernel/errors";
import { processWide } from "@/lib/kernel/process-wide";
import { KEY_PERMISSIONS, type KeyPermission } from "@/lib/schemas/key-scope";
import { type AuditLog, type Author, audited, type Transaction } from "@/lib/store/audit";
import { CachedFacts, cachedStatement } from "@/lib/store/caches/cached-facts";
import { database } from "@/lib/store/postgres/database";
import type { KeyKind } from "@/prisma/generated/client";
import { lockWorkspace } from "./workspaces";

export interface StoredKey {
  id: string;
  kind: KeyKind;
  name: string;
  first4: string;
  last4: string;
  workspaceId: string;
  userId: string | null;
  /** The only datasets that it reads; empty: all. */
  datasetIds: string[];
  /** Of a use key; others do not ask for them. */
  permissions: KeyPermission[];
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

const COLUMNS =
  `k.id, k.kind::text AS kind, k.name, k.first4, k.last4, k."workspaceId", k."userId", k."createdAt", ` +
  `k."lastUsedAt", k."expiresAt", k."datasetIds", k.permissions`;

/**
 * A key of a disabled person, or of one who is not a member of its workspace, counts as revoked whatever its row says.
 */
const FIND = cachedStatement(
  "find-key",
  `${COLUMNS}, CASE WHEN k."userId" IS NOT NULL AND m."userId" IS NULL THEN COALESCE(k."revokedAt",
  k."createdAt") ELSE COALESCE(k."revokedAt", u."disabledAt") END AS "revokedAt"
  FROM "AccessKey" k LEFT JOIN "User" u ON u.id = k."userId" LEFT JOIN "Membership" m ON m."userId" = k."userId" AND
    m."workspaceId" = k."workspaceId" WHERE k.hash = $1`,
);

const CACHED_MAX = 20_000;
const cachedKeys = () => processWide("cached-keys", () => new CachedFacts<StoredKey>(FIND, CACHED_MAX));

/**
 * The key with this hash, including revoked and expired ones. One round trip, or none if the key is in memory and was
 * not revoked under this generation.
 */
export async function findKey(hash: Uint8Array, under?: string): Promise<StoredKey | undefined> {
  const name = Buffer.from(hash).toString("base64");
  return (
    cachedKeys().find(name, under) ?? (await cachedKeys().read(name, [hash], ({ revokedAt }) => revokedAt === null))
  );
}

/** Records that a key was used, at most once a minute. */
export async function touchKey(id: string, now: Date): Promise<void> {
  const { pool } = await database();
  await pool.query(
    `UPDATE "AccessKey" SET "lastUsedAt" = $2::timestamptz WHERE id = $1::uuid AND ("lastUsedAt" IS NULL OR ` +
      `"lastUsedAt" < $2::timestamptz - interval '1 minute')`,
    [id, now],
  );
}

export type KeyScope = Pick<StoredKey, "datasetIds" | "permissions">;

export interface NewKey {
  kind: KeyKind;
  hash: Uint8Array<ArrayBuffer>;
  first4: string;
  last4: string;
  name: string;
  /** Null for keys that belong to the workspace itself. */
  userId: string | null;
  workspaceId: string;
  expiresAt: Date | null;
  /** All if absent. */
  scope?: KeyScope | undefined;
}

/**
 * Stores a new key. For a person's key, fails with not_found (no longer a member of the workspace) or conflict (they
 * already have `most` keys in it); for the workspace's own, with conflict. The administrator's keys are not counted.
 */
export async function insertKey(key: NewKey, author: Author, most?: number): Promise<{ id: string; createdAt: Date }> {
  return audited(author, async (transaction, audit) => {
    return await insertIn(transaction, audit, key, most);
  });
}

async function insertIn(
  transaction: Transaction,
  audit: AuditLog,
  key: NewKey,
  most: number | undefined,
): Promise<{ id: string; createdAt: Date }> {
  if (key.userId !== null) await checkRoom(transaction, key.workspaceId, key.userId, most);
  else if (most !== undefined) await checkOwnRoom(transaction, key.workspaceId, most);
  const { scope, ...own } = key;
  const created = await transaction.accessKey.create({
    data: { ...own, ...scope },
    select: { id: true, createdAt: true },
  });
  const { kind, name, expiresAt, first4, last4 } = key;
  const details = {
    ...{ kind, name, ends: `${first4}…${last4}`, expires_at: expiresAt?.toISOString() ?? null },
    ...(scope && scope.datasetIds.length > 0 && { dataset_ids: scope.datasetIds }),
    ...(scope && scope.permissions.length < KEY_PERMISSIONS.length && { permissions: scope.permissions }),
  };
  audit({ action: "key.created", workspaceId: key.workspaceId, subject: created.id, details });
  return created;
}

/** The key that a change concerns. With `userId` null, the workspace's own key. */
export interface OneKey {
  id: string;
  workspaceId: string;
  userId?: string | null;
}

/** Renames a key; false if none matches. */
export async function renameKey(key: OneKey, name: string, author: Author): Promise<boolean> {
  return audited(author, async (transaction, audit) => {
    const found = await transaction.accessKey.findFirst({ where: key, select: { name: true } });
    if (!found) return false;
    if (found.name === name) return true;
    await transaction.accessKey.update({ where: { id: key.id }, data: { name } });
    const details = { from: found.name, to: name };
    audit({ action: "key.renamed", workspaceId: key.workspaceId, subject: key.id, details });
    return true;
  });
}

/** A key's successor: its own values, and until when the replaced key works. */
export interface Successor extends Pick<NewKey, "hash" | "first4" | "last4"> {
  now: Date;
  /** When the replaced key expires, unless it would expire earlier. */
  until: Date;
  most: number;
}

/**
 * Creates a successor with the key's kind, name, scope and lifetime, and lets the key expire. Undefined if no key
 * matches. Fails with conflict if the key no longer works, and as `insertKey` does. Each of several concurrent calls
 * creates one.
 */
export async function replaceKey(
  key: OneKey,
  { now, until, most, ...own }: Successor,
  author: Author,
): Promise<{ id: string; expiresAt: Date | null; oldExpiresAt: Date } | undefined> {
  return audited(author, async (transaction, audit) => {
    await lockWorkspace(transaction, key.workspaceId);
    const old = await transaction.accessKey.findFirst({ where: key });
    if (!old) return undefined;
    const { kind, name, userId, workspaceId, createdAt, expiresAt: ends, datasetIds } = old;
    const scope = { datasetIds, permissions: old.permissions as KeyPermission[] };
    if (old.revokedAt || (ends && ends <= now))
      throw fail("conflict", { message: "This key no longer works. Create a new one." });
    const expiresAt = ends && new Date(now.getTime() + ends.getTime() - createdAt.getTime());
    const created = await insertIn(
      transaction,
      audit,
      { ...own, kind, name, userId, workspaceId, expiresAt, scope },
      most,
    );
    const oldExpiresAt = ends && ends < until ? ends : until;
    await transaction.accessKey.update({ where: { id: key.id }, data: { expiresAt: oldExpiresAt } });
    const details = { name, by: created.id, expires_at: oldExpiresAt.toISOString() };
    audit({ action: "key.replaced", workspaceId, subject: key.id, details });
    return { id: created.id, expiresAt, oldExpiresAt };
  });
}

/** Waits for others who create a key in the workspace or remove its members. */
async function checkRoom(transaction: Transaction, workspaceId: string, userId: string, most?: number): Promise<void> {
  await lockWorkspace(transaction, workspaceId);
  const membership = await transaction.membership.findUnique({
    where: { userId_workspaceId: { userId, workspaceId } },
    select: { userId: true },
  });
  if (!membership) throw fail("not_found");
  if (most === undefined) return;
  const used = await transaction.accessKey.count({ where: { workspaceId, userId, revokedAt: null } });
  if (used >= most)
    throw fail("conflict", { message: `Too many keys (maximum ${most} per person and workspace). Revoke one first.` });
}

/** The same for the keys that belong to the workspace itself. */
async function checkOwnRoom(transaction: Transaction, workspaceId: string, most: number): Promise<void> {
  await lockWorkspace(transaction, workspaceId);
  const used = await transaction.accessKey.count({ where: { workspaceId, userId: null, revokedAt: null } });
  if (used >= most)
    throw fail("conflict", { message: `Too many live keys (maximum ${most} per workspace). Revoke one first.` });
}

/** Revokes a person's keys, in one workspace or in all, within a change that records the reason. */
export async function revokeKeysOf(
  transaction: Transaction,
  audit: AuditLog,
  whose: { userId: string; workspaceId?: string },
  reason: string,
): Promise<void> {
  const revoked = await transaction.accessKey.updateManyAndReturn({
    where: { ...whose, revokedAt: null },
    data: { revokedAt: new Date() },
    select: { id: true, workspaceId: true },
  });
  for (const { id, workspaceId } of revoked)
    audit({ action: "key.revoked", workspaceId, subject: id, details: { reason } });
}

export interface KeyFilter {
  workspaceId?: string | undefined;
  userId?: string | undefined;
  email?: string | undefined;
}

/**
 * Keys, newest first, with the email address of their creator; all keys for the administrator. Keys of a disabled
 * person are shown as revoked, which they are.
 */
export async function listKeys({
  workspaceId,
  userId,
  email,
}: KeyFilter = {}): Promise<(StoredKey & { email: string | null })[]> {
  const { prisma } = await database();
  const keys = await prisma.accessKey.findMany({
    where: { ...(workspaceId && { workspaceId }), ...(userId && { userId }), ...(email && { user: { email } }) },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    omit: { hash: true },
    include: { user: { select: { email: true, disabledAt: true } } },
  });
  return keys.map(({ user, ...key }) => ({
    ...key,
    permissions: key.permissions as KeyPermission[],
    revokedAt: key.revokedAt ?? user?.disabledAt ?? null,
    email: user?.email ?? null,
  }));
}

/**
 * Revokes a key permanently; false if no key matches. Revoking again keeps the first time and adds no second audit
 * entry.
 */
export async function revokeKey(
  key: { id: string; workspaceId?: string; userId?: string },
  author: Author,
): Promise<boolean> {
  return audited(author, async (transaction, audit) => {
    const found = await transaction.accessKey.findFirst({ where: key, select: { workspaceId: true } });
    if (!found) return false;
    const { count } = await transaction.accessKey.updateMany({
      where: { ...key, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    if (count > 0) audit({ action: "key.revoked", workspaceId: found.workspaceId, subject: key.id });
    return true;
  });
}
