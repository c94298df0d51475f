import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { sha256Hex } from "@/lib/kernel/sha256";

// Prisma's own table and lock, so that `prisma migrate` could take over
export const MIGRATION_LOCK = "72707369";
export const MIGRATIONS_TABLE = "_prisma_migrations";
/** How long a starting process waits to connect, in milliseconds. On a busy machine, a few seconds are too few. */
export const CONNECT_MS = 60_000;

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS "${MIGRATIONS_TABLE}" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ, "migration_name"
    VARCHAR(255) NOT NULL,
  "logs" TEXT, "rolled_back_at" TIMESTAMPTZ, "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count"
    INTEGER NOT NULL DEFAULT 0)`;

export interface Migration {
  name: string;
  /** SHA-256 of the script, hex. */
  checksum: string;
  sql: string;
}

interface Applied {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

/** The migrations of this service. */
export const migrationsFolder = (): string => join(process.cwd(), "prisma", "migrations");

/** The migrations of a folder, in the order they are applied. */
export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "migration.sql")));
  return names.sort().map((name) => {
    const sql = readFileSync(join(folder, name, "migration.sql"), "utf8");
    return { name, sql, checksum: sha256Hex(sql) };
  });
}

/**
 * Applies the missing migrations of `folder`, each in one transaction and one process at a time; returns their names.
 */
export async function migrate(connectionString: string, folder: string): Promise<string[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS });
  await client.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    await client.query(CREATE_TABLE);
    const applied = await client.query<Applied>(
      `SELECT migration_name, checksum, finished_at FROM "${MIGRATIONS_TABLE}" WHERE rolled_back_at IS NULL`,
    );
    const known = new Map(applied.rows.map((row) => [row.migration_name, row]));
    const names: string[] = [];
    for (const migration of readMigrations(folder))
      if (await applyMissing(client, migration, known.get(migration.name))) names.push(migration.name);
    return names;
  } finally {
    await client.end(); // also releases the lock
  }
}

async function applyMissing(client: pg.Client, migration: Migration, have: Applied | undefined): Promise<boolean> {
  const { name, checksum } = migration;
  if (have && !have.finished_at) throw new Error(`migration ${name} failed earlier`);
  if (have && have.checksum !== checksum) throw new Error(`migration ${name} was changed after it was applied`);
  if (have) return false;
  await client.query("BEGIN");
  try {
    await run(client, migration);
    await client.query("COMMIT");
    return true;
  } catch (cause) {
    await client.query("ROLLBACK");
    throw cause;
  }
}

/** Applies migrations to a database that has none, within the caller's transaction. */
export async function applyFirst(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await client.query(CREATE_TABLE);
  for (const migration of migrations) await run(client, migration);
}

async function run(client: pg.Client, { name, checksum, sql }: Migration): Promise<void> {
  try {
    await client.query(sql); // the simple protocol: an entire script, including $$ bodies
    await client.query(
      `INSERT INTO "${MIGRATIONS_TABLE}" (id, checksum, migration_name, started_at, finished_at, ` +
        "applied_steps_count) VALUES ($1, $2, $3, now(), clock_timestamp(), 1)",
      [randomUUID(), checksum, name],
    );
  } catch (cause) {
    throw new Error(`migration ${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
