import { randomUUID } from "node:crypto";
import { fail } from "@/lib/kernel/errors";
import { SECRETS_MAX, type SecretKind } from "@/lib/schemas/secret";
import { withLocks } from "./advisory-lock";
import { ADMINISTRATOR, type AuditNote, type Author, audited, type Transaction } from "./audit";
import { database } from "./database";

/** The row that a sealed value belongs to: all of it is authenticated, so that no row can be swapped for another. */
export interface SealedFor {
  id: string;
  workspaceId: string;
  name: string;
  kind: SecretKind;
  field: string | null;
}

export interface Sealed {
  sealed: Uint8Array<ArrayBuffer>;
  /** Name of the key in the ring. */
  sealedWith: string;
}

export type SealedRow = SealedFor & Sealed;

/** What is known of a credential apart from its value. */
export interface StoredSecret extends SealedFor {
  sealedWith: string;
  /** Where it may be used: exact names or *.suffix; nowhere when empty. */
  hosts: string[];
  createdAt: Date;
  createdByEmail: string | null;
  replacedAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedBy: string | null;
}

/** Called while no key can leave the ring. */
type Seal = (row: SealedFor) => Sealed;

const SEALED_COLUMNS = `id, "workspaceId", name, kind::text AS kind, field, sealed, "sealedWith"`;

/** Secrets of one workspace by name, or of all. */
export async function listSecrets(workspaceId?: string): Promise<StoredSecret[]> {
  const { prisma } = await database();
  const rows = await prisma.sourceCredential.findMany({
    where: workspaceId ? { workspaceId } : {},
    orderBy: [{ workspaceId: "asc" }, { name: "asc" }],
    omit: { sealed: true },
    include: { createdBy: { select: { email: true } } },
  });
  return rows.map(({ createdBy, ...row }) => ({ ...row, createdByEmail: createdBy?.email ?? null }));
}

/** Fails with not_found (no such workspace) or conflict (the name is taken, or the workspace is full). */
export function insertSecret(author: Author, secret: Omit<SealedFor, "id">, seal: Seal, now: Date): Promise<void> {
  return audited(author, async (transaction, note) => {
    await keepKeys(transaction);
    await checkRoom(transaction, secret);
    const row = { id: randomUUID(), ...secret };
    await transaction.sourceCredential.create({
      data: { ...row, ...seal(row), createdAt: now, createdById: author.userId ?? null },
    });
    note({
      action: "secret.created",
      workspaceId: secret.workspaceId,
      subject: secret.name,
      details: { kind: secret.kind },
    });
  });
}

/** Writers of one workspace wait for each other here, so that its maximum holds. */
async function checkRoom(transaction: Transaction, { workspaceId, name }: Omit<SealedFor, "id">): Promise<void> {
  const found = await transaction.$queryRaw<
    unknown[]
  >`SELECT id FROM "Workspace" WHERE id = ${workspaceId}::uuid FOR NO KEY UPDATE`;
  if (found.length === 0) throw fail("not_found");
  if (
    await transaction.sourceCredential.findUnique({
      where: { workspaceId_name: { workspaceId, name } },
      select: { id: true },
    })
  )
    throw fail("conflict", { message: `Secret ${name} already exists. Replace it, or choose another name.` });
  const used = await transaction.sourceCredential.count({ where: { workspaceId } });
  if (used >= SECRETS_MAX)
    throw fail("conflict", {
      message: `Too many secrets (maximum ${SECRETS_MAX} per workspace). Delete one that is no longer used.`,
    });
}

/** Fails with not_found, or with conflict if the secret is of another kind. */
export function replaceSecret(author: Author, secret: Omit<SealedFor, "id">, seal: Seal, now: Date): Promise<void> {
  return audited(author, async (transaction, note) => {
    await keepKeys(transaction);
    const row = await lockRow(transaction, secret);
    if (row.kind !== secret.kind)
      throw fail("conflict", {
        message:
          `The kind of secret ${secret.name} is ${row.kind} and cannot be changed. Delete it to store one ` +
          `of another kind.`,
      });
    const replaced = { id: row.id, ...secret };
    await transaction.sourceCredential.update({
      where: { id: row.id },
      data: { field: secret.field, ...seal(replaced), replacedAt: now },
    });
    note({
      action: "secret.replaced",
      workspaceId: secret.workspaceId,
      subject: secret.name,
      details: { kind: secret.kind },
    });
  });
}

/** Says where a credential may be sent. Fails with not_found. */
export function changeSecretHosts(
  author: Author,
  { workspaceId, name }: Pick<SealedFor, "workspaceId" | "name">,
  hosts: readonly string[],
): Promise<void> {
  return audited(author, async (transaction, note) => {
    const data = { hosts: [...hosts] };
    const { count } = await transaction.sourceCredential.updateMany({ where: { workspaceId, name }, data });
    if (count === 0) throw missing(name);
    note({ action: "secret.hosts_changed", workspaceId, subject: name, details: data });
  });
}

/** Fails with not_found. */
export function deleteSecret(author: Author, workspaceId: string, name: string): Promise<void> {
  return audited(author, async (transaction, note) => {
    const { count } = await transaction.sourceCredential.deleteMany({ where: { workspaceId, name } });
    if (count === 0) throw missing(name);
    note({ action: "secret.deleted", workspaceId, subject: name });
  });
}

/**
 * Opens a secret and records who used it, or does neither. Its row cannot be re-encrypted in the meantime, so its key
 * remains in the ring.
 */
export function readSecret<T>(
  author: Author,
  workspaceId: string,
  name: string,
  usedBy: string,
  open: (row: SealedRow) => T,
  now: Date,
): Promise<T> {
  return audited(author, async (transaction, note) => {
    const row = await lockRow(transaction, { workspaceId, name });
    const opened = open(row);
    await transaction.sourceCredential.update({ where: { id: row.id }, data: { lastUsedAt: now, lastUsedBy: usedBy } });
    note({ action: "secret.used", workspaceId, subject: name, details: { by: usedBy } });
    return opened;
  });
}

async function lockRow(
  transaction: Transaction,
  { workspaceId, name }: Pick<SealedFor, "workspaceId" | "name">,
): Promise<SealedRow> {
  const sql = `SELECT ${SEALED_COLUMNS} FROM "SourceCredential"
    WHERE "workspaceId" = $1::uuid AND name = $2 FOR UPDATE`;
  const [row] = await transaction.$queryRawUnsafe<SealedRow[]>(sql, workspaceId, name);
  if (!row) throw missing(name);
  return row;
}

const missing = (name: string) => fail("not_found", { message: `Unknown secret ${name}.` });

/** Held while the keys are rotated, or while the ring and the database are copied together. */
export const ROTATION_LOCK = "hashtextextended('secrets-rotation', 0)";

/** Runs `work` while no other process does either. */
export function withRotationLock<T>(work: () => Promise<T>): Promise<T> {
  return withLocks({ sql: `SELECT pg_advisory_lock(${ROTATION_LOCK})`, values: [] }, work);
}

/**
 * Whoever encrypts holds this until the row is committed, so that `whileNobodySeals` sees every row encrypted with the
 * ring it changes.
 */
async function keepKeys(transaction: Transaction): Promise<void> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended('secrets-keys', 0))`;
}

/**
 * Runs `work` with the names of the keys that rows are encrypted with, while nobody encrypts: the time to change the
 * ring.
 */
export function whileNobodySeals<T>(
  work: (inUse: ReadonlySet<string>, note: (entry: AuditNote) => void) => T,
): Promise<T> {
  return audited(ADMINISTRATOR, async (transaction, note) => {
    await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('secrets-keys', 0))`;
    const rows = await transaction.$queryRaw<
      { name: string }[]
    >`SELECT DISTINCT "sealedWith" AS name FROM "SourceCredential"`;
    return work(new Set(rows.map(({ name }) => name)), note);
  });
}

export interface ResealedBatch {
  /** Where the next batch starts; undefined if there are no more rows. */
  lastId: string | undefined;
  resealed: number;
  unopened: SealedFor[];
}

const BATCH = 50;
const NEXT = `SELECT id FROM "SourceCredential" WHERE "sealedWith" <> $1 AND id > $2::uuid ORDER BY id LIMIT ${BATCH}`;
const LOCK =
  `SELECT ${SEALED_COLUMNS} FROM "SourceCredential" WHERE id = ANY($2::uuid[]) AND "sealedWith" <> $1 ORDER BY ` +
  "id FOR UPDATE";

/**
 * Re-encrypts the next rows that were not encrypted with `current`, in the order of ids after `afterId`. Waits for rows
 * in use and skips those replaced or deleted in the meantime. `reseal` returns undefined for a row that it cannot open,
 * which remains as it is.
 */
export async function resealBatch(
  current: string,
  afterId: string,
  reseal: (row: SealedRow) => Sealed | undefined,
): Promise<ResealedBatch> {
  const { prisma } = await database();
  const work = async (transaction: Transaction): Promise<ResealedBatch> => {
    await keepKeys(transaction);
    const ids = (await transaction.$queryRawUnsafe<{ id: string }[]>(NEXT, current, afterId)).map(({ id }) => id);
    const rows = await transaction.$queryRawUnsafe<SealedRow[]>(LOCK, current, ids);
    const unopened: SealedFor[] = [];
    for (const row of rows) {
      const sealed = reseal(row);
      if (sealed) await transaction.sourceCredential.update({ where: { id: row.id }, data: sealed });
      else unopened.push(row);
    }
    return { lastId: ids.at(-1), resealed: rows.length - unopened.length, unopened };
  };
  return prisma.$transaction(work, { timeout: 60_000, maxWait: 60_000 });
}
