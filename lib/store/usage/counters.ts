import { fail } from "@/lib/kernel/errors";
import { processWide } from "@/lib/kernel/process-wide";
import { database, lookUp, statementMs } from "@/lib/store/postgres/database";
import { databaseFailure } from "@/lib/store/postgres/database-failure";
import { requireGeneration } from "@/lib/store/postgres/generation";

export interface CountedWindow {
  /** Name of the counter, such as `query-minute`. */
  name: string;
  startAt: Date;
  lengthMs: number;
  limit: number;
}

/** A counter of one subject. */
export interface SubjectWindow {
  subject: string;
  name: string;
  startAt: Date;
}

export interface Counted {
  /** Requests in the window so far, including this one; null if its limit was reached before. */
  minute: number | null;
  /** The same for the day. Also null if the minute rejected the request, because the day is not counted then. */
  day: number | null;
}

/**
 * One statement, one transaction. Row locks make it exact across processes; they are always taken minute first, so
 * there are no deadlocks. Losing the last counts in a PostgreSQL crash is harmless, so its commit does not wait for the
 * disk. Under a generation other than $8 it counts nothing.
 */
const COUNT = `
WITH minute AS (
  INSERT INTO "Counter" AS c ("subject", "window", "startAt", "used") SELECT $1, $2, $3, 1
  WHERE $8::uuid IS NULL OR $8::uuid = (SELECT value FROM "Generation")
  ON CONFLICT ("subject", "window", "startAt") DO UPDATE SET "used" = c."used" + 1 WHERE c."used" < $4
  RETURNING "used"
), day AS (
  INSERT INTO "Counter" AS c ("subject", "window", "startAt", "used") SELECT $1, $5, $6, 1 FROM minute
  ON CONFLICT ("subject", "window", "startAt") DO UPDATE SET "used" = c."used" + 1 WHERE c."used" < $7
  RETURNING "used"
)
SELECT (SELECT "used" FROM minute) AS minute, (SELECT "used" FROM day) AS day, (SELECT value FROM "Generation") AS
  generation, set_config('synchronous_commit', 'off', true)`;

const PRUNE =
  `DELETE FROM "Counter" WHERE "startAt" < now() - interval '2 days' OR ("window" LIKE '%-minute' AND "startAt" ` +
  "< now() - interval '1 hour')";

const PRUNE_EVERY_MS = 10 * 60_000;

/**
 * Counts one request in both windows, or in neither if it exceeds one. Fails with `unavailable` if the store does not
 * answer: never a free pass. `under`: the generation that facts about the caller were read under; if it has ended, this
 * fails with `OutdatedFacts` and counts nothing.
 */
export async function countRequest(
  subject: string,
  minute: CountedWindow,
  day: CountedWindow,
  under?: string,
): Promise<Counted> {
  const [minuteStart, dayStart] = [minute.startAt.toISOString(), day.startAt.toISOString()]; // pg writes dates slowly
  const values = [subject, minute.name, minuteStart, minute.limit, day.name, dayStart, day.limit, under ?? null];
  const [row] = await changed<Counted & { generation: string }>("count-request", COUNT, values);
  if (!row) throw new Error("The statement that counts returned nothing");
  requireGeneration(under, row.generation);
  return { minute: row.minute, day: row.day };
}

const COUNT_ONE = `INSERT INTO "Counter" AS c ("subject", "window", "startAt", "used") VALUES ($1, $2, $3, 1)
  ON CONFLICT ("subject", "window", "startAt") DO UPDATE SET "used" = c."used" + 1 WHERE c."used" < $4
  RETURNING "used"`;

/** The same for one window only; null if its limit was already reached. */
export async function countWindow(subject: string, window: CountedWindow): Promise<number | null> {
  const { name, startAt, limit } = window;
  const [row] = await changed<{ used: number }>("count-window", COUNT_ONE, [subject, name, startAt, limit]);
  return row?.used ?? null;
}

const ADD_BELOW = `
  INSERT INTO "Counter" AS c ("subject", "window", "startAt", "used") SELECT $1, $2, $3, $4::int WHERE $4::int < $5
  ON CONFLICT ("subject", "window", "startAt") DO UPDATE SET "used" = c."used" + $4::int WHERE c."used" + $4::int < $5
  RETURNING "used"`;

const ADD = `INSERT INTO "Counter" AS c ("subject", "window", "startAt", "used") VALUES ($1, $2, $3, $4::int)
  ON CONFLICT ("subject", "window", "startAt") DO UPDATE SET "used" = c."used" + $4::int RETURNING "used"`;

/**
 * Adds an amount to a counter unless that would reach `bound`; false if it would. One statement, as exact as counting.
 */
export const addBelow = async (
  { subject, name, startAt }: SubjectWindow,
  amount: number,
  bound: number,
): Promise<boolean> => (await changed("add-below", ADD_BELOW, [subject, name, startAt, amount, bound])).length > 0;

/** Adds an amount, possibly negative, to a counter. */
export async function addAmount({ subject, name, startAt }: SubjectWindow, amount: number): Promise<void> {
  await changed("add-amount", ADD, [subject, name, startAt, amount]);
}

/** Runs a statement and returns the counters that it changed. */
async function changed<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> {
  try {
    const { pool } = await database();
    const { rows } = await pool.query<Row>({ name, text, values, query_timeout: statementMs() } as { text: string });
    pruneNowAndThen();
    return rows;
  } catch (error) {
    throw databaseFailure(error) ?? fail("unavailable", { retryAfterSeconds: 5, cause: error });
  }
}

const READ = `SELECT COALESCE(c."used", 0) AS used
  FROM unnest($1::text[], $2::text[], $3::timestamptz[]) WITH ORDINALITY AS asked (subject, name, start, place)
  LEFT JOIN "Counter" c ON c."subject" = asked.subject AND c."window" = asked.name AND c."startAt" = asked.start ORDER
    BY place`;

/** Requests in each window so far, in the order requested. */
export async function readCounters(windows: readonly SubjectWindow[]): Promise<number[]> {
  const columns = [
    windows.map(({ subject }) => subject),
    windows.map(({ name }) => name),
    windows.map(({ startAt }) => startAt),
  ];
  const rows = await lookUp<{ used: number }>("read-counters", READ, columns);
  return rows.map(({ used }) => used);
}

/** Deletes windows that ended long ago. */
export async function pruneCounters(): Promise<void> {
  const { pool } = await database();
  await pool.query(PRUNE);
}

function pruneNowAndThen(): void {
  const last = processWide("counters-pruned", () => ({ at: Date.now() }));
  if (Date.now() - last.at < PRUNE_EVERY_MS) return;
  last.at = Date.now();
  pruneCounters().catch(() => undefined); // the next run tries again
}
