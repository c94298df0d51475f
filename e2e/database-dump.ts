import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

/**
 * Every row of every table of every database in the embedded PostgreSQL, as text; `table` is `database.schema.table`.
 */
export async function* dumpDatabases(dataDir: string): AsyncGenerator<{ table: string; text: string }> {
  const port = readFileSync(join(dataDir, "postgres", "cluster", "postmaster.pid"), "utf8").split("\n")[3];
  const password = readFileSync(join(dataDir, "postgres", "password"), "utf8").trim();
  const urlOf = (name: string) => `postgresql://postgres:${password}@127.0.0.1:${port}/${name}`;
  const names = await ask(
    urlOf("postgres"),
    "SELECT datname AS name FROM pg_database WHERE datallowconn AND NOT datistemplate",
  );
  for (const { name } of names) yield* dumpDatabase(name ?? "", urlOf(name ?? ""));
}

async function* dumpDatabase(database: string, url: string): AsyncGenerator<{ table: string; text: string }> {
  const tables = await ask(
    url,
    "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables WHERE " +
      "table_schema NOT IN ('pg_catalog', 'information_schema')",
  );
  for (const { name } of tables)
    for (const { text } of await ask(url, `SELECT t::text AS text FROM ${name} t`))
      yield { table: `${database}.${name}`, text: text ?? "" };
}

async function ask(url: string, sql: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(sql)).rows;
  } finally {
    await client.end();
  }
}
