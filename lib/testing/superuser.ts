import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

/** The URL of a running embedded PostgreSQL as its superuser, which the service itself never uses. */
export function superuserUrl(folder: string, database: string): string {
  const cluster = join(folder, "cluster");
  const socket = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n")[4] ?? "";
  const password = readFileSync(join(folder, "password"), "utf8").trim();
  return `postgresql://postgres:${password}@localhost:5432/${database}?host=${encodeURIComponent(socket)}`;
}

/** The rows of one statement on a separate connection. */
export async function ask(
  connectionString: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}
