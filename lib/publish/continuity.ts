import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { onlyRow } from "@/lib/readers/bench";
import type { RELEASE_CONTINUITY } from "@/lib/schemas/freshness";
import type { Change } from "@/lib/schemas/table";
import type { Workbench } from "./workbench";

export type ReleaseContinuity = keyof typeof RELEASE_CONTINUITY;

interface Release {
  path: string;
  rows: number;
  primaryKey: readonly string[];
}

/** If a larger share of the rows is gone, the change is not a correction. */
const GONE_SHARE = 0.05;
/** A step longer than this many usual steps is a gap. */
const STEPS_MAX = 1.5;
const DAY_SECONDS = 86_400;
/** Days needed to tell on which weekdays daily data arrive. */
const DAYS_MIN = 8;
const ACTIVE_WEEKDAYS_MAX = 5;

/**
 * How a release continues the previous one, whose columns are the same unless `change` says otherwise. Rows are
 * identified by their primary key; without one, the number of rows gone is the decrease in the number of rows.
 */
export async function continuityBetween(
  bench: Workbench,
  before: Release,
  after: Release,
  { change, timeColumn }: { change: Change; timeColumn: string | undefined },
): Promise<ReleaseContinuity> {
  if (change === "first") return "first_release";
  if (change === "breaking" || change === "columns_added") return "schema_changed";
  if (change === "metadata") return "continuous";
  const times = timeColumn === undefined ? undefined : await timesOf(bench, before, after, timeColumn);
  const gone = await goneRows(bench, before, after);
  if (gone > 0 && (gone > GONE_SHARE * before.rows || times?.endsEarlier)) return "truncated";
  if (change === "restated") return "restated";
  if (!times) return "continuous";
  if (!times.hasNew) return "restated"; // late rows lie before the end
  return times.isGap ? "gap" : "continuous";
}

const read = ({ path }: Release): string => `read_parquet(${quoteLiteral(path)})`;

async function goneRows(bench: Workbench, before: Release, after: Release): Promise<number> {
  const key = before.primaryKey;
  const isSame = key.length > 0 && JSON.stringify(key) === JSON.stringify(after.primaryKey);
  if (!isSame) return Math.max(0, before.rows - after.rows);
  const equal = key.map((name) => `a.${quoteIdentifier(name)} IS NOT DISTINCT FROM b.${quoteIdentifier(name)}`);
  const missing = `${read(before)} AS a ANTI JOIN ${read(after)} AS b ON ${equal.join(" AND ")}`;
  return Number((await onlyRow(bench, `SELECT count(*)::VARCHAR FROM ${missing}`))[0]);
}

interface Times {
  endsEarlier: boolean;
  /** Whether there are times after the last one of the previous release. */
  hasNew: boolean;
  isGap: boolean;
}

/** Compares the times of both releases. Undefined if the previous release has none. */
async function timesOf(bench: Workbench, before: Release, after: Release, column: string): Promise<Times | undefined> {
  const time = `epoch(${quoteIdentifier(column)}::TIMESTAMP)::DOUBLE`;
  const all = (release: Release) =>
    `(SELECT DISTINCT ${time} AS t FROM ${read(release)} WHERE ${quoteIdentifier(column)} IS NOT NULL)`;
  const [last = null, step = null, days = "0", weekdays = ""] = await onlyRow(
    bench,
    `SELECT max(t)::VARCHAR, median(step)::VARCHAR, count(DISTINCT floor(t / ${DAY_SECONDS}))::VARCHAR,
      string_agg(DISTINCT (floor(t / ${DAY_SECONDS})::BIGINT % 7)::VARCHAR, ',')
     FROM (SELECT t, t - lag(t) OVER (ORDER BY t) AS step FROM ${all(before)})`,
  );
  if (last === null) return undefined;
  const [newest = null, next = null] = await onlyRow(
    bench,
    `SELECT max(t)::VARCHAR, min(t) FILTER (WHERE t > ${last})::VARCHAR FROM ${all(after)}`,
  );
  const known = { endsEarlier: newest === null || Number(newest) < Number(last), hasNew: next !== null };
  if (next === null || step === null) return { ...known, isGap: false };
  const active = new Set((weekdays ?? "").split(",").map(Number));
  const isDaily = Number(step) === DAY_SECONDS && Number(days) >= DAYS_MIN && active.size <= ACTIVE_WEEKDAYS_MAX;
  const steps = isDaily ? activeDays(Number(last), Number(next), active) : (Number(next) - Number(last)) / Number(step);
  return { ...known, isGap: steps > STEPS_MAX };
}

/** Number of days after one time up to another, without weekdays on which no data ever came. */
function activeDays(from: number, to: number, weekdays: ReadonlySet<number>): number {
  const last = Math.floor(to / DAY_SECONDS);
  let count = 0;
  for (let day = Math.floor(from / DAY_SECONDS) + 1; day <= last && count < 10; day += 1)
    if (weekdays.has(((day % 7) + 7) % 7)) count += 1;
  return count;
}
