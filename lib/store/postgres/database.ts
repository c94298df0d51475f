import { existsSync } from "node:fs";
import { join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { env } from "@/lib/kernel/env";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { makeDataFolder } from "@/lib/storage/data-folder";
import { restoreMarkerPath } from "@/lib/storage/paths";
import { requireSameRing } from "@/lib/store/sources/ring-fingerprint";
import { requireSameSecret } from "@/lib/store/sources/secret-fingerprint";
import { PrismaClient } from "@/prisma/generated/client";
import { openEmbeddedPostgres } from "./embedded-postgres";
import { FairPool } from "./fair-pool";
import { migrate, migrationsFolder } from "./migrate";

export interface Database {
  prisma: PrismaClient;
  /** For hot statements and those that Prisma cannot express; parameters are $1, $2 …. */
  pool: pg.Pool;
  url: string;
  close(): Promise<void>;
}

/** Some connections stay open, with their prepared statements: on a busy machine, opening a new one takes seconds. */
const POOL = {
  application_name: "parquetry",
  min: 4,
  max: 20,
  idleTimeoutMillis: 60_000,
} as const;

/** Timeout of a statement, in milliseconds: a database that hangs is reported as unavailable, not as a slow service. */
export const statementMs = (): number => env().DATABASE_TIMEOUT_MS;

/** How long a connection may take, in milliseconds. */
const connectionMs = () => 2 * statementMs();

/** Time limit of a transaction's statements, in milliseconds. Prisma's own 5 s is too short on a busy machine. */
export const transactionMs = (): number => 3 * statementMs();

/** The database of this process: opened, migrated and pooled once. */
export function database(): Promise<Database> {
  return processWide("database", () => openDatabase());
}

/**
 * Adopts a server that the caller has opened and migrated as this process's database, even if a restore is unfinished.
 */
export function adoptServer(server: DatabaseServer): void {
  processWide("database", async () => connect(server));
}

/** Closes what `database()` opened, if anything. */
export async function closeDatabase(): Promise<void> {
  const open = processWide<Promise<Database> | undefined>("database", () => undefined);
  forgetProcessWide("database");
  await (await open)?.close();
}

/** The rows of a hot lookup: prepared once per connection under its name, with a timeout. */
export async function lookUp<T extends object>(name: string, text: string, values: readonly unknown[]): Promise<T[]> {
  const { pool } = await database();
  // the types do not cover a per-query timeout
  const query = { name, text, values: [...values], query_timeout: statementMs() };
  return (await pool.query<T>(query)).rows;
}

async function openDatabase(): Promise<Database> {
  const opened = connect(await openMigrated());
  try {
    await requireSameSecret(opened.pool);
    await requireSameRing(opened.pool);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Opens the database of this process even if it was used with another secret, to find that out or to accept it. */
export async function openWithAnySecret(): Promise<Database> {
  adoptServer(await openMigrated());
  return database();
}

async function openMigrated(): Promise<DatabaseServer> {
  rejectUnfinishedRestore();
  const server = await openServer();
  try {
    await migrate(server.url, migrationsFolder());
    return server;
  } catch (error) {
    await server.release();
    throw describeOutage(error);
  }
}

/** The error, or one that says that no server answers at DATABASE_URL and what to do. */
function describeOutage(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? "";
  if (!UNREACHABLE.has(code)) return error;
  const message = "The database cannot be reached. Start its server, or correct host and port in DATABASE_URL.";
  return Object.assign(new Error(message, { cause: error }), { code });
}

const UNREACHABLE: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "ENOENT"],
]);

/** Throws if a restore was started and never finished. */
export function rejectUnfinishedRestore(): void {
  const { PARQUETRY_DATA_DIR, DATABASE_URL } = env();
  if (!existsSync(restoreMarkerPath())) return;
  const what = DATABASE_URL ? "the folder, and the database of DATABASE_URL if it has tables," : "the folder";
  throw new Error(
    `A restore into ${PARQUETRY_DATA_DIR} is in progress or was interrupted, so the data is incomplete. If it was ` +
      `interrupted, empty ${what} and restore again.`,
  );
}

export interface DatabaseServer {
  url: string;
  release(): Promise<void>;
}

/** The server at DATABASE_URL, or the embedded one in the data folder, created if missing. Runs no migrations. */
export async function openServer(): Promise<DatabaseServer> {
  const { DATABASE_URL, EMBEDDED_POSTGRES_SYNC } = env();
  return DATABASE_URL
    ? { url: DATABASE_URL, release: async () => undefined }
    : openEmbeddedPostgres(embeddedFolder(makeDataFolder()), EMBEDDED_POSTGRES_SYNC);
}

/** Whether there is a database to open, so that opening it creates none. */
export function databaseExists(): boolean {
  const { DATABASE_URL, PARQUETRY_DATA_DIR } = env();
  return DATABASE_URL !== undefined || existsSync(join(embeddedFolder(PARQUETRY_DATA_DIR), "cluster", "PG_VERSION"));
}

const embeddedFolder = (dataDir: string): string => join(dataDir, "postgres");

function connect({ url, release }: DatabaseServer): Database {
  const pool = new FairPool({ connectionString: url, ...POOL, connectionTimeoutMillis: connectionMs() });
  pool.on("error", () => {}); // a broken idle connection is replaced when it is next used
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    errorFormat: "minimal",
    transactionOptions: { maxWait: connectionMs(), timeout: transactionMs() },
  });
  const close = async () => {
    await prisma.$disconnect();
    await pool.end();
    await release();
  };
  return { prisma, pool, url, close };
}
