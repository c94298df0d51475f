import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

// Prisma's own table and lock, so that `prisma migrate` could take over.
const LOCK = "72707369";
const TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ, "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT, "rolled_back_at" TIMESTAMPTZ, "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`;

interface Applied {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

/** The migrations of this service. */
export const migrationsFolder = (): string => join(process.cwd(), "prisma", "migrations");

/** Applies the missing migrations of `folder`, each in one transaction, one process at a time; returns their names. */
export async function migrate(connectionString: string, folder: string): Promise<string[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(${LOCK})`);
    await client.query(TABLE);
    const applied = await client.query<Applied>(`SELECT migration_name, checksum, finished_at FROM "_prisma_migrations" WHERE rolled_back_at IS NULL`);
    const known = new Map(applied.rows.map((row) => [row.migration_name, row]));
    const names: string[] = [];
    for (const name of migrationNames(folder)) if (await apply(client, folder, name, known.get(name))) names.push(name);
    return names;
  } finally {
    await client.end(); // gives the lock back too
  }
}

const migrationNames = (folder: string) =>
  readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "migration.sql")))
    .sort();

async function apply(client: pg.Client, folder: string, name: string, have: Applied | undefined): Promise<boolean> {
  const sql = readFileSync(join(folder, name, "migration.sql"), "utf8");
  const checksum = createHash("sha256").update(sql).digest("hex");
  if (have && !have.finished_at) throw new Error(`migration ${name} failed earlier`);
  if (have && have.checksum !== checksum) throw new Error(`migration ${name} was edited after it was applied`);
  if (have) return false;
  await client.query("BEGIN");
  try {
    await client.query(sql); // the simple protocol: a whole script, $$ bodies and all
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query("COMMIT");
    return true;
  } catch (cause) {
    await client.query("ROLLBACK");
    throw new Error(`migration ${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
