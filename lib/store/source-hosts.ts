import type { PoolClient } from "pg";
import { database } from "./database";

const STARTS_SECOND = 10;
/** Numbers of advisory locks. Each lock is one request in progress, and ends with the process that holds it. */
const PLACES = [0, 1] as const;

/** The pause between two attempts to get a place. */
const LOOK_MS = 200;

/**
 * Takes one of a host's two places, over all processes, and the next of its ten starts per second. `wait` may reject,
 * for example when a run is cancelled. Resolves once the request may start, with a function that returns the place.
 */
export async function takeHostPlace(host: string, wait: (ms: number) => Promise<void>): Promise<() => Promise<void>> {
  const { pool } = await database();
  const client = await pool.connect();
  try {
    while (!(await hasPlace(client, host))) await wait(LOOK_MS);
    const startMs = await nextStart(client, host);
    if (startMs > 0) await wait(startMs);
    return () => leavePlace(client);
  } catch (error) {
    await leavePlace(client);
    throw error;
  }
}

async function hasPlace(client: PoolClient, host: string): Promise<boolean> {
  const sql = "SELECT pg_try_advisory_lock(hashtextextended('source host ' || $1 || ' ' || $2::text, 0)) AS ok";
  for (const place of PLACES) {
    const { rows } = await client.query<{ ok: boolean }>(sql, [host, place]);
    if (rows[0]?.ok) return true;
  }
  return false;
}

/** Milliseconds until this request may start, by the database's clock, which all processes share. */
async function nextStart(client: PoolClient, host: string): Promise<number> {
  const gap = `interval '${1000 / STARTS_SECOND} milliseconds'`;
  const { rows } = await client.query<{ ms: number }>(
    `INSERT INTO "SourceHost" AS h (host, "nextAt") VALUES ($1, clock_timestamp() + ${gap})
     ON CONFLICT (host) DO UPDATE SET "nextAt" = greatest(h."nextAt", clock_timestamp()) + ${gap}
     RETURNING greatest(0, extract(epoch FROM h."nextAt" - ${gap} - clock_timestamp()) * 1000)::float8 AS ms`,
    [host],
  );
  return rows[0]?.ms ?? 0;
}

async function leavePlace(client: PoolClient): Promise<void> {
  const isBroken = await client.query("SELECT pg_advisory_unlock_all()").then(
    () => false,
    () => true,
  );
  client.release(isBroken);
}
