import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { listTables, quoteName, type TableShape, withCopySession } from "./copy-session";
import { applyFirst, MIGRATION_LOCK, type Migration } from "./migrate";

export interface Load {
  /** Applied in order before the rows are loaded. */
  migrations: readonly Migration[];
  tables: readonly (TableShape & { rows: number })[];
  sequences: readonly { name: string; value: string }[];
  /** The rows of a table as COPY text. */
  rowsOf(table: TableShape): Readable;
}

/** What a database already contains, in words for a person; empty if nothing prevents a load. */
export function listObjects(connectionString: string): Promise<string[]> {
  return withCopySession(connectionString, objectsOf);
}

async function objectsOf(client: pg.Client): Promise<string[]> {
  const types = await client.query<{ name: string }>(
    "SELECT t.typname::text AS name FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace AND n.nspname " +
      "= current_schema() WHERE t.typtype = 'e' ORDER BY 1",
  );
  const tables = await listTables(client);
  return [...tables.map(({ name }) => `table ${name}`), ...types.rows.map(({ name }) => `type ${name}`)];
}

/**
 * Fills an empty database: migrations, rows and constraints in one transaction, so everything is stored or nothing.
 * Foreign keys are dropped and added again, which checks them once for all rows. The owner of the tables may do that
 * without superuser rights.
 */
export async function loadDatabase(
  connectionString: string,
  load: Load,
  progress: (text: string) => void,
): Promise<void> {
  await withCopySession(connectionString, async (client) => {
    await client.query("BEGIN");
    await client.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    const objects = await objectsOf(client);
    if (objects.length > 0) throw new Error(`The database is not empty: ${objects.join(", ")}`);
    await applyFirst(client, withAllValues(load.migrations));
    await fill(client, load, progress);
    await client.query("COMMIT");
    await client.query("ANALYZE");
  });
}

const CREATED_ENUM = /^(CREATE TYPE ("[^"]+") AS ENUM \([^)]*)\);/gm;
const ADDED_VALUE = /^ALTER TYPE ("[^"]+") ADD VALUE ('[^']*');/gm;

/**
 * The same migrations with values of enums created together with their types. In one transaction, PostgreSQL before 17
 * lets nothing use a value that was added to a type later.
 */
function withAllValues(migrations: readonly Migration[]): Migration[] {
  const added = migrations.flatMap(({ sql }) =>
    [...sql.matchAll(ADDED_VALUE)].map(([, type, value]) => ({ type, value })),
  );
  const valuesOf = (type: string) => added.flatMap((each) => (each.type === type ? [`, ${each.value}`] : []));
  return migrations.map((migration) => ({
    ...migration,
    sql: migration.sql
      .replace(CREATED_ENUM, (_, create: string, type: string) => `${create}${valuesOf(type).join("")});`)
      .replace(ADDED_VALUE, ""),
  }));
}

async function fill(
  client: pg.Client,
  { tables, sequences, rowsOf }: Load,
  progress: (text: string) => void,
): Promise<void> {
  const names = tables.map(({ name }) => quoteName(name));
  const foreignKeys = await listForeignKeys(client);
  for (const { table, name } of foreignKeys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  await client.query(`TRUNCATE ${names.join(", ")}`); // from rows that migrations inserted
  for (const name of names) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  for (const table of tables) {
    if (table.rows > 0) progress(`${table.name}: ${table.rows} rows`);
    await loadTable(client, table, rowsOf(table));
  }
  for (const name of names) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  for (const { table, name, definition } of foreignKeys)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  for (const { name, value } of sequences)
    await client.query("SELECT setval($1::regclass, $2::bigint)", [quoteName(name), value]);
}

async function loadTable(
  client: pg.Client,
  { name, columns, rows }: TableShape & { rows: number },
  source: Readable,
): Promise<void> {
  const target = client.query(copyFrom(`COPY ${quoteName(name)} (${columns.map(quoteName).join(", ")}) FROM STDIN`));
  await pipeline(source, target);
  const counted = await client.query<{ n: number }>(`SELECT count(*)::float8 AS n FROM ${quoteName(name)}`);
  if (counted.rows[0]?.n !== rows)
    throw new Error(`Table ${name} has ${counted.rows[0]?.n} rows after loading, but the backup says ${rows}`);
}

interface ForeignKey {
  /** Quoted, like names. */
  table: string;
  name: string;
  definition: string;
}

async function listForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT c.conrelid::regclass::text AS table, quote_ident(c.conname) AS name, pg_get_constraintdef(c.oid) AS
      definition
     FROM pg_constraint c JOIN pg_namespace n ON n.oid = c.connamespace AND n.nspname = current_schema()
     WHERE c.contype = 'f' AND c.conparentid = 0 ORDER BY 1, 2`,
  );
  return rows;
}
