import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { database } from "@/lib/store/postgres/database";

/** Requests that are in progress at a host at once, over all processes. */
const SLOTS = 2;
const STARTS_SECOND = 10;

/** The pause between two attempts to get a slot. */
const LOOK_MS = 200;

/** How long a request counts as waiting, and as in progress, after its process was last heard of. */
const WAITING_S = 5;
const LEASE_S = 30;
const RENEW_MS = 10_000;

/** How long a workspace's last request counts when turns are given. */
const REMEMBERED_S = 60;

interface SourceRequest {
  id: string;
  host: string;
  workspaceId: string;
}

/**
 * Takes one of a host's two slots, over all processes, and the next of its ten starts per second. If requests of
 * several workspaces wait, the next one is of the workspace that has the fewest slots at the host, of those the one
 * that was served longest ago. `wait` may reject, for example when a run is cancelled. Resolves once the request may
 * start, with a function that releases the slot; a process that is not heard of for 30 s loses it. No connection to the
 * database is reserved meanwhile.
 */
export async function takeHostSlot(
  { host, workspaceId }: { host: string; workspaceId: string },
  wait: (ms: number) => Promise<void>,
): Promise<() => Promise<void>> {
  const request = { id: randomUUID(), host, workspaceId };
  try {
    let startMs = await tryStart(request);
    while (startMs === undefined) {
      await wait(LOOK_MS);
      startMs = await tryStart(request);
    }
    if (startMs > 0) await wait(startMs);
  } catch (error) {
    await withdrawRequest(request).catch(() => undefined); // its lease ends
    throw error;
  }
  const renewal = setInterval(() => void renewRequest(request).catch(() => undefined), RENEW_MS).unref();
  return async () => {
    clearInterval(renewal);
    await endRequest(request).catch(() => undefined); // its lease ends
  };
}

/** Milliseconds until the request may start, by the database's clock; undefined if it is not its turn. */
async function tryStart(request: SourceRequest): Promise<number | undefined> {
  const { pool } = await database();
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query("BEGIN");
    const startMs = await startInTurn(client, request);
    await client.query("COMMIT");
    isBroken = false;
    return startMs;
  } finally {
    client.release(isBroken);
  }
}

async function startInTurn(client: PoolClient, { id, host, workspaceId }: SourceRequest): Promise<number | undefined> {
  // the host's row is locked until the transaction ends, so its requests are looked at one after another
  await client.query(
    `INSERT INTO "SourceHost" (host, "nextAt") VALUES ($1, clock_timestamp())
     ON CONFLICT (host) DO UPDATE SET host = excluded.host`,
    [host],
  );
  await client.query(`DELETE FROM "SourceRequest" WHERE host = $1 AND "leaseUntil" < clock_timestamp()`, [host]);
  await client.query(
    `INSERT INTO "SourceRequest" (id, host, "workspaceId", "requestedAt", "leaseUntil")
     VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp() + interval '${WAITING_S} seconds')
     ON CONFLICT (id) DO UPDATE SET "leaseUntil" = excluded."leaseUntil"`,
    [id, host, workspaceId],
  );
  const { rows } = await client.query<{ id: string }>(
    `WITH workspace AS (
       SELECT "workspaceId", count("startedAt") FILTER (WHERE "endedAt" IS NULL) AS held, max("startedAt") AS served
       FROM "SourceRequest" WHERE host = $1 GROUP BY "workspaceId")
     SELECT r.id FROM "SourceRequest" r JOIN workspace w USING ("workspaceId")
     WHERE r.host = $1 AND r."startedAt" IS NULL
     ORDER BY w.held, w.served NULLS FIRST, r."requestedAt", r.id
     LIMIT greatest(0, ${SLOTS} - (SELECT sum(held) FROM workspace))`,
    [host],
  );
  if (!rows.some((next) => next.id === id)) return undefined;
  return recordStart(client, { id, host, workspaceId });
}

async function recordStart(client: PoolClient, { id, host, workspaceId }: SourceRequest): Promise<number> {
  // of the ended requests of a workspace only the last one matters
  await client.query(`DELETE FROM "SourceRequest" WHERE host = $1 AND "workspaceId" = $2 AND "endedAt" IS NOT NULL`, [
    host,
    workspaceId,
  ]);
  const { rows } = await client.query<{ ms: number }>(
    `WITH slot AS (
       UPDATE "SourceHost" SET "nextAt" = greatest("nextAt", clock_timestamp()) + interval '${1000 / STARTS_SECOND} ms'
       WHERE host = $1 RETURNING "nextAt" - interval '${1000 / STARTS_SECOND} ms' AS at)
     UPDATE "SourceRequest" SET "startedAt" = slot.at, "leaseUntil" = slot.at + interval '${LEASE_S} seconds'
     FROM slot WHERE id = $2
     RETURNING greatest(0, extract(epoch FROM slot.at - clock_timestamp()) * 1000)::float8 AS ms`,
    [host, id],
  );
  return rows[0]?.ms ?? 0;
}

async function renewRequest({ id }: SourceRequest): Promise<void> {
  const { pool } = await database();
  await pool.query(
    `UPDATE "SourceRequest" SET "leaseUntil" = clock_timestamp() + interval '${LEASE_S} seconds'
     WHERE id = $1 AND "endedAt" IS NULL`,
    [id],
  );
}

async function endRequest({ id }: SourceRequest): Promise<void> {
  const { pool } = await database();
  await pool.query(
    `UPDATE "SourceRequest"
     SET "endedAt" = clock_timestamp(), "leaseUntil" = clock_timestamp() + interval '${REMEMBERED_S} seconds'
     WHERE id = $1`,
    [id],
  );
}

async function withdrawRequest({ id }: SourceRequest): Promise<void> {
  const { pool } = await database();
  await pool.query(`DELETE FROM "SourceRequest" WHERE id = $1`, [id]);
}
