import { join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { env } from "@/lib/env";
import { forgetProcessWide, processWide } from "@/lib/process-wide";
import { PrismaClient } from "@/prisma/generated/client";
import { type EmbeddedServer, openEmbeddedPostgres } from "./embedded-postgres";
import { migrate } from "./migrate";

export interface Database {
  prisma: PrismaClient;
  /** For statements that are hot or that Prisma cannot say; parameters as $1, $2 …. */
  pool: pg.Pool;
  url: string;
  close(): Promise<void>;
}

const CONNECTIONS_MAX = 20;

/** How long a reader waits for a look-up, in milliseconds: a database that hangs reads as unavailable, not as a slow service. */
const LOOKUP_TIMEOUT_MS = 5000;

/** The database of this process: opened, migrated and pooled once. */
export function database(): Promise<Database> {
  return processWide("database", () => openDatabase());
}

/** Closes what `database()` opened, if anything. */
export async function closeDatabase(): Promise<void> {
  const open = processWide<Promise<Database> | undefined>("database", () => undefined);
  forgetProcessWide("database");
  await (await open)?.close();
}

const DOWN = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "57P01", "57P02", "57P03", "53300", "P1001", "P1002", "P1017", "P2024"]);

/** Whether an error says that the database cannot be reached, which passes, rather than that a statement was wrong. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return (typeof code === "string" && DOWN.has(code)) || /Connection terminated|timeout exceeded when trying to connect|Query read timeout/.test(error.message);
}

/** The rows of a hot look-up: prepared once a connection under its name, and given up after 5 s. */
export async function lookUp<T extends object>(name: string, text: string, values: readonly unknown[]): Promise<T[]> {
  const { pool } = await database();
  const query = { name, text, values: [...values], query_timeout: LOOKUP_TIMEOUT_MS }; // the types do not know that a query may have a time-out of its own
  return (await pool.query<T>(query)).rows;
}

async function openDatabase(): Promise<Database> {
  const settings = env();
  const server: EmbeddedServer | undefined = settings.DATABASE_URL ? undefined : await openEmbeddedPostgres(join(settings.PARQUETRY_DATA_DIR, "postgres"));
  const url = settings.DATABASE_URL ?? server?.url ?? "";
  await migrate(url, join(process.cwd(), "prisma", "migrations"));
  return connect(url, () => server?.release());
}

function connect(url: string, afterClose: () => Promise<void> | undefined): Database {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS_MAX, connectionTimeoutMillis: 5000 });
  pool.on("error", () => {}); // an idle connection that broke is replaced at its next use
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const close = async () => {
    await prisma.$disconnect();
    await pool.end();
    await afterClose();
  };
  return { prisma, pool, url, close };
}
