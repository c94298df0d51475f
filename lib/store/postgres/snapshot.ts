import type { Readable } from "node:stream";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { ROTATION_LOCK } from "@/lib/store/datasets/sealed-rows";
import { NEEDED_SNAPSHOTS } from "@/lib/store/sources/snapshots";
import { listTables, quoteName, type TableShape, withCopySession } from "./copy-session";
import { databaseExists, openServer, rejectUnfinishedRestore } from "./database";
import { MIGRATION_LOCK, MIGRATIONS_TABLE } from "./migrate";

export interface Snapshot {
  at: Date;
  postgresVersion: string;
  /** Applied migrations, in order. */
  migrations: { name: string; checksum: string }[];
  tables: TableShape[];
  /** Every blob that a version or an upload refers to, without duplicates. */
  blobs: { digest: string; bytes: number }[];
  /** The bytes of sources that refreshes may need, once each. */
  sourceBytes: { digest: string; bytes: number }[];
  /** Passes the rows of a table, as COPY text, to `consume`; returns their number. One table at a time. */
  readRows(table: TableShape, consume: (rows: Readable) => Promise<void>): Promise<number>;
  /** The sequences' values: those of the rows, or beyond. Read after the rows. */
  sequences(): Promise<{ name: string; value: string }[]>;
}

/**
 * Reads the database as of one moment, while others keep writing. Creates no database and runs no migrations.
 * `atThatMoment` runs while no key of the secrets' ring is added or removed, for copying what must match the rows.
 */
export async function withSnapshot<T>(
  atThatMoment: () => Promise<void>,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  rejectUnfinishedRestore();
  if (!databaseExists())
    throw new Error(
      "The database does not exist yet. Start the service once, or set PARQUETRY_DATA_DIR to its data folder.",
    );
  const server = await openServer();
  try {
    return await withCopySession(server.url, async (client) => {
      const tables = await fixSnapshot(client, atThatMoment);
      return work(await snapshotOf(client, tables));
    });
  } finally {
    await server.release();
  }
}

/**
 * A migration that rewrites a table would make it empty for older snapshots, so none may run before every table is
 * locked against that.
 */
async function fixSnapshot(client: pg.Client, atThatMoment: () => Promise<void>): Promise<TableShape[]> {
  await client.query(`SELECT pg_advisory_lock_shared(${MIGRATION_LOCK}), pg_advisory_lock(${ROTATION_LOCK})`);
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  const all = await listTables(client);
  const tables = all.filter(({ name }) => name !== MIGRATIONS_TABLE);
  if (tables.length === 0 || tables.length === all.length)
    throw new Error("The database is empty. Start the service once.");
  await client.query(`LOCK TABLE ${all.map(({ name }) => quoteName(name)).join(", ")} IN ACCESS SHARE MODE`);
  await atThatMoment();
  await client.query(`SELECT pg_advisory_unlock_shared(${MIGRATION_LOCK}), pg_advisory_unlock(${ROTATION_LOCK})`);
  return tables;
}

async function snapshotOf(client: pg.Client, tables: TableShape[]): Promise<Snapshot> {
  const query = async <R extends object>(sql: string) => (await client.query<R>(sql)).rows;
  const [now] = await query<{ at: Date; version: string }>(
    `SELECT now() AS at, current_setting('server_version') AS version`,
  );
  return {
    at: now?.at ?? new Date(),
    postgresVersion: now?.version ?? "",
    migrations: await query(MIGRATIONS),
    tables,
    blobs: await query(blobsOf(tables)),
    sourceBytes: tables.some(({ name }) => name === "SourceSnapshot") ? await query(SOURCE_BYTES) : [],
    readRows: async ({ name, columns }, consume) => {
      const rows = client.query(copyTo(`COPY ${rowsOf(name, columns)} TO STDOUT`));
      await consume(rows);
      await client.query("SELECT"); // the row count arrives after the last row: the next statement waits for it
      return rows.rowCount;
    },
    sequences: () => query(SEQUENCES),
  };
}

/** Tables with files. */
const WITH_BLOBS = ["Version", "Upload"];
const NEEDED = `SELECT digest FROM (${NEEDED_SNAPSHOTS}) needed`;
const SOURCE_BYTES = `SELECT DISTINCT digest, bytes::float8 AS bytes FROM "SourceSnapshot" WHERE digest IN (${NEEDED})
  ORDER BY digest`;
/** Tables whose rows are left out together with their files if a run can make them again, as if they had expired. */
const REMADE: Readonly<Record<string, string>> = {
  RunArtifact: "true",
  SourceSnapshot: `digest NOT IN (${NEEDED})`,
};

function rowsOf(table: string, columns: readonly string[]): string {
  const names = columns.map(quoteName).join(", ");
  const remade = REMADE[table];
  return remade === undefined
    ? `${quoteName(table)} (${names})`
    : `(SELECT ${names} FROM ${quoteName(table)} WHERE NOT (${remade}))`;
}

/** The database of an older service may lack some of the tables. */
function blobsOf(tables: readonly TableShape[]): string {
  const present = tables.filter(({ name }) => WITH_BLOBS.includes(name)).map(({ name }) => quoteName(name));
  const selects = present.map((name) => `SELECT digest, bytes::float8 AS bytes FROM ${name}`);
  return `${selects.join(" UNION ")} ORDER BY digest`;
}
const MIGRATIONS =
  `SELECT migration_name AS name, checksum FROM "${MIGRATIONS_TABLE}" WHERE finished_at IS NOT NULL AND ` +
  `rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`;
const SEQUENCES =
  "SELECT sequencename::text AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = " +
  "current_schema() AND last_value IS NOT NULL";
