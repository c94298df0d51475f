import { database } from "./postgres/database";

/** A time when a part did not respond: from the first such check to the last, or to the next response. */
export interface Outage {
  part: string;
  startedAt: Date;
  endedAt: Date;
}

/** Writes outages, extends those that continue, and deletes those that ended before `oldest`. */
export async function writeOutages(outages: readonly Outage[], oldest: Date): Promise<void> {
  const { pool } = await database();
  for (const { part, startedAt, endedAt } of outages)
    await pool.query(
      `INSERT INTO "Outage" (part, "startedAt", "endedAt") VALUES ($1, $2, $3)
       ON CONFLICT (part, "startedAt") DO UPDATE SET "endedAt" = excluded."endedAt"`,
      [part, startedAt, endedAt],
    );
  await pool.query(`DELETE FROM "Outage" WHERE "endedAt" < $1`, [oldest]);
}

/** Outages that had not ended by `since`, oldest first. */
export async function findOutages(since: Date): Promise<Outage[]> {
  const { pool } = await database();
  const sql = `SELECT part, "startedAt", "endedAt" FROM "Outage" WHERE "endedAt" > $1 ORDER BY "startedAt", part`;
  return (await pool.query<Outage>(sql, [since])).rows;
}

/** When the service was first and last seen to run; undefined if never. */
export async function findHeartbeat(): Promise<{ since: Date; at: Date } | undefined> {
  const { pool } = await database();
  return (await pool.query<{ since: Date; at: Date }>(`SELECT since, at FROM "Heartbeat"`)).rows[0];
}

/** Records that the service is running. */
export async function beat(now: Date): Promise<void> {
  const { pool } = await database();
  await pool.query(
    `INSERT INTO "Heartbeat" (id, since, at) VALUES (1, $1, $1)
     ON CONFLICT (id) DO UPDATE SET at = greatest("Heartbeat".at, excluded.at)`,
    [now],
  );
}

/** After a restore, it is unknown how long the service was down, so counting starts now. */
export async function restartHeartbeat(): Promise<void> {
  const { pool } = await database();
  await pool.query(`UPDATE "Heartbeat" SET at = greatest(at, now())`);
}
