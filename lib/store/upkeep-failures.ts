import { database } from "./postgres/database";

/** A step of the workers' upkeep that fails. */
export interface UpkeepFailure {
  step: string;
  /** When it first failed. */
  since: Date;
  /** When it last failed. */
  at: Date;
  /** Why, for the administrator only: it may contain paths. */
  message: string;
}

/** Records which steps failed in a round; all others work. */
export async function recordUpkeep(failed: ReadonlyMap<string, string>, now: Date): Promise<void> {
  const { pool } = await database();
  const steps = [...failed.keys()];
  await pool.query(`DELETE FROM "UpkeepFailure" WHERE step <> ALL($1)`, [steps]);
  if (steps.length === 0) return;
  await pool.query(
    `INSERT INTO "UpkeepFailure" (step, message, since, at) SELECT step, message, $3, $3
     FROM unnest($1::text[], $2::text[]) AS failed (step, message)
     ON CONFLICT (step) DO UPDATE SET message = excluded.message, at = excluded.at`,
    [steps, [...failed.values()], now],
  );
}

/** The steps that failed in the last round, the one that has failed for longest first. */
export async function findUpkeepFailures(): Promise<UpkeepFailure[]> {
  const { pool } = await database();
  const sql = `SELECT step, since, at, message FROM "UpkeepFailure" ORDER BY since, step`;
  return (await pool.query<UpkeepFailure>(sql)).rows;
}
