import { ADMINISTRATOR, type AuditEntry, audited, type Transaction } from "@/lib/store/audit";
import { withLocks } from "@/lib/store/postgres/advisory-lock";
import { database } from "@/lib/store/postgres/database";

/** The row that a sealed value belongs to. All of it is authenticated, so that no row can be swapped for another. */
export interface SealedOwner {
  id: string;
  workspaceId: string;
  name: string;
  kind: string;
  field: string | null;
}

export interface Sealed {
  sealed: Uint8Array<ArrayBuffer>;
  /** Name of the key in the ring. */
  sealedWith: string;
}

type SealedRow = SealedOwner & Sealed;

export const CREDENTIAL_COLUMNS = `id, "workspaceId", name, kind::text AS kind, field, sealed, "sealedWith"`;

/** The columns of a webhook, whose secret is bound to its URL. */
export const WEBHOOK_COLUMNS = `id, "workspaceId", 'webhook ' || id AS name, 'webhook' AS kind, target AS field,
  sealed, "sealedWith"`;

/** THE tables with sealed values, each with the columns of `SealedRow`. */
const SEALED_TABLES = { SourceCredential: CREDENTIAL_COLUMNS, Watch: WEBHOOK_COLUMNS } as const;

export type SealedTable = keyof typeof SEALED_TABLES;
export const SEALED_TABLE_NAMES = Object.keys(SEALED_TABLES) as SealedTable[];

/** Held while the keys are rotated, or while the ring and the database are copied together. */
export const ROTATION_LOCK = "hashtextextended('secrets-rotation', 0)";

/** Runs `work` while no other process does either of these. */
export function withRotationLock<T>(work: () => Promise<T>): Promise<T> {
  return withLocks({ sql: `SELECT pg_advisory_lock(${ROTATION_LOCK})`, values: [] }, work);
}

/**
 * Held by everyone who encrypts, until the row is committed, so that `whileNobodySeals` sees every row encrypted with
 * the ring it changes.
 */
export async function lockKeys(transaction: Transaction): Promise<void> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended('secrets-keys', 0))`;
}

/**
 * Runs `work` with the names of the keys that rows are encrypted with, while nobody encrypts. This is the time to
 * change the ring.
 */
export function whileNobodySeals<T>(
  work: (inUse: ReadonlySet<string>, audit: (entry: AuditEntry) => void) => T,
): Promise<T> {
  return audited(ADMINISTRATOR, async (transaction, audit) => {
    await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('secrets-keys', 0))`;
    const each = SEALED_TABLE_NAMES.map(
      (table) => `SELECT "sealedWith" AS name FROM "${table}" WHERE sealed IS NOT NULL`,
    );
    const rows = await transaction.$queryRawUnsafe<{ name: string }[]>(each.join(" UNION "));
    return work(new Set(rows.map(({ name }) => name)), audit);
  });
}

export interface ResealedBatch {
  /** Where the next batch starts; undefined if there are no more rows. */
  lastId: string | undefined;
  resealed: number;
  unopened: SealedOwner[];
}

const BATCH = 50;
const nextOf = (table: SealedTable) =>
  `SELECT id FROM "${table}" WHERE "sealedWith" <> $1 AND id > $2::uuid ORDER BY id LIMIT ${BATCH}`;
const lockOf = (table: SealedTable) =>
  `SELECT ${SEALED_TABLES[table]} FROM "${table}" WHERE id = ANY($2::uuid[]) AND "sealedWith" <> $1 ORDER BY ` +
  "id FOR NO KEY UPDATE";
const updateOf = (table: SealedTable) => `UPDATE "${table}" SET sealed = $2, "sealedWith" = $3 WHERE id = $1::uuid`;

/**
 * Re-encrypts the next rows that were not encrypted with `current`, in the order of ids after `afterId`. Waits for rows
 * in use and skips those replaced or deleted in the meantime. `reseal` returns undefined for a row that it cannot open,
 * which is left unchanged.
 */
export async function resealBatch(
  table: SealedTable,
  current: string,
  afterId: string,
  reseal: (row: SealedRow) => Sealed | undefined,
): Promise<ResealedBatch> {
  const { prisma } = await database();
  const work = async (transaction: Transaction): Promise<ResealedBatch> => {
    await lockKeys(transaction);
    const ids = (await transaction.$queryRawUnsafe<{ id: string }[]>(nextOf(table), current, afterId)).map(
      ({ id }) => id,
    );
    const rows = await transaction.$queryRawUnsafe<SealedRow[]>(lockOf(table), current, ids);
    const unopened: SealedOwner[] = [];
    for (const row of rows) {
      const sealed = reseal(row);
      if (sealed) await transaction.$executeRawUnsafe(updateOf(table), row.id, sealed.sealed, sealed.sealedWith);
      else unopened.push(row);
    }
    return { lastId: ids.at(-1), resealed: rows.length - unopened.length, unopened };
  };
  return prisma.$transaction(work, { timeout: 60_000, maxWait: 60_000 });
}
