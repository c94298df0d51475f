import pg from "pg";

// output written here can be read anywhere, whatever the server's own settings, and without a statement timeout
const SETTINGS = {
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  TimeZone: "UTC",
  extra_float_digits: "3",
  row_security: "off",
  statement_timeout: "0",
  lock_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  transaction_timeout: "0", // PostgreSQL 17 and later
};

const SET =
  "SELECT set_config(s.name, v.value, false) FROM json_each_text($1) AS v(name, value) JOIN pg_settings s ON " +
  "lower(s.name) = lower(v.name)";

/** Runs `work` on a dedicated connection for reading and writing whole tables as COPY text. */
export async function withCopySession<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000, keepAlive: true });
  client.on("error", () => {}); // the running statement fails too
  try {
    await client.connect();
    await client.query(SET, [JSON.stringify(SETTINGS)]);
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** A name as a PostgreSQL identifier. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export interface TableShape {
  name: string;
  columns: string[];
}

/** Excludes objects of extensions, and generated columns. */
const TABLES = `SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = current_schema()
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relkind = 'r' AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid =
    c.oid AND d.deptype = 'e')
  GROUP BY c.relname ORDER BY c.relname`;

/** The tables of the database with their stored columns, by name. */
export async function listTables(client: pg.Client): Promise<TableShape[]> {
  return (await client.query<TableShape>(TABLES)).rows;
}
