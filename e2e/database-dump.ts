import { join } from "node:path";
import { ask, superuserUrl } from "@/lib/testing/superuser";

/**
 * Every row of every table of every database in the embedded PostgreSQL, as text. `table` is `database.schema.table`.
 */
export async function* dumpDatabases(dataDir: string): AsyncGenerator<{ table: string; text: string }> {
  const urlOf = (name: string) => superuserUrl(join(dataDir, "postgres"), name);
  const names = await ask(
    urlOf("postgres"),
    "SELECT datname AS name FROM pg_database WHERE datallowconn AND NOT datistemplate",
  );
  for (const { name } of names) yield* dumpDatabase(String(name), urlOf(String(name)));
}

async function* dumpDatabase(database: string, url: string): AsyncGenerator<{ table: string; text: string }> {
  const tables = await ask(
    url,
    "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables WHERE " +
      "table_schema NOT IN ('pg_catalog', 'information_schema')",
  );
  for (const { name } of tables)
    for (const { text } of await ask(url, `SELECT t::text AS text FROM ${name} t`))
      yield { table: `${database}.${name}`, text: String(text) };
}
