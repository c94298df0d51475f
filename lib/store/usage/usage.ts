import type { PoolClient } from "pg";
import { database, statementMs } from "@/lib/store/postgres/database";

/** What a key or a connected agent did with a table. */
export interface Use {
  /** UTC, such as 2026-11-20. */
  day: string;
  workspaceId: string;
  /** The id of the key, of the connection, or of the person in their own browser. */
  keyId: string;
  tableId: string;
  queries: number;
  downloads: number;
  rows: number;
  bytes: number;
}

/** Uses that are written together, each for a different row. */
export interface UsageBatch {
  uses: readonly Use[];
  /** The id of the attempt whose outcome is not yet known. */
  transactionId?: string;
}

/** Identifies the table row that a use is added to. */
export const usageRow = ({ workspaceId, keyId, day, tableId }: Use): string =>
  `${workspaceId} ${keyId} ${day} ${tableId}`;

const ADD = `INSERT INTO "Usage" AS u (day, "workspaceId", "keyId", "tableId", queries, downloads, rows, bytes)
  SELECT * FROM unnest($1::date[], $2::uuid[], $3::uuid[], $4::uuid[], $5::int[], $6::int[], $7::bigint[], $8::bigint[])
  ON CONFLICT ("workspaceId", "keyId", day, "tableId") DO UPDATE SET
    queries = u.queries + EXCLUDED.queries, downloads = u.downloads
    + EXCLUDED.downloads,
    rows = u.rows + EXCLUDED.rows, bytes = u.bytes + EXCLUDED.bytes`;

/** Adds a batch exactly once: if a commit went unanswered, the batch is looked for before it is written again. */
export async function addUsage(batch: UsageBatch): Promise<void> {
  const { pool } = await database();
  const client = await pool.connect();
  // a broken connection also fails the statement, which reports it; an unhandled event would end the process
  const ignore = () => undefined;
  client.on("error", ignore);
  let whole = false;
  try {
    if (batch.transactionId === undefined || !(await wasCommitted(client, batch.transactionId)))
      await write(client, batch);
    whole = true;
  } finally {
    client.off("error", ignore);
    client.release(!whole);
  }
}

async function write(client: PoolClient, batch: UsageBatch): Promise<void> {
  await timed(client, "BEGIN");
  const [row] = await timed<{ id: string }>(client, "SELECT pg_current_xact_id()::text AS id");
  await timed(client, ADD, columnsOf(batch.uses));
  if (row) batch.transactionId = row.id;
  await timed(client, "COMMIT");
}

/** The rows by columns, in the same order for everybody, so that two writers of the same rows do not deadlock. */
function columnsOf(uses: readonly Use[]): unknown[][] {
  const sorted = [...uses].sort((a, b) => (usageRow(a) < usageRow(b) ? -1 : 1));
  const fields = ["day", "workspaceId", "keyId", "tableId", "queries", "downloads", "rows", "bytes"] as const;
  return fields.map((field) => sorted.map((use) => use[field]));
}

/**
 * Throws while the transaction is still running. A server that never issued this id, such as one restored from a
 * backup, did not commit it.
 */
async function wasCommitted(client: PoolClient, transactionId: string): Promise<boolean> {
  const [row] = await timed<{ status: string | null }>(client, "SELECT pg_xact_status($1::xid8) AS status", [
    transactionId,
  ]).catch((error) => {
    if ((error as { code?: string }).code === "22023") return [];
    throw error;
  });
  if (row?.status === "in progress") throw new Error("usage is still being written");
  return row?.status === "committed";
}

async function timed<T extends object>(client: PoolClient, text: string, values: unknown[] = []): Promise<T[]> {
  // the types do not cover a per-query timeout
  const query = { text, values, query_timeout: statementMs() };
  return (await client.query<T>(query)).rows;
}
