import { FIRST_INSTANT_US } from "./timestamps";
import { ALL_INSTANTS, type OffsetPeriod, offsetAt, offsetsBetween, REPEATED, UTC, type ZoneOffsets } from "./zones";

/** A zone, and between which instants (in seconds since 1970) all values lie; undefined if that is not known. */
export interface Zoned {
  zone: string;
  within?: readonly [from: number, to: number] | undefined;
}

const SECOND_US = 1_000_000;
const DAY = 86_400;
/** Local time is at most so far from UTC, so that values near the ends of time can have none. */
const FARTHEST = 2 * DAY;

/** SQL that is a conversion error: the value of microseconds where there is no local time. */
const REJECTED = "CAST('outside the years 1 to 9999' AS BIGINT)";

/**
 * SQL of a timestamp's local time; `outside`, by default a conversion error, where that is not in the years 1 to 9999.
 * The offsets are written into the statement: DuckDB's own conversion asks ICU for each row, which takes 40 times as
 * long. `utc` is in it many times, so it should be a column.
 */
export function localSql(
  utc: string,
  { zone, within = ALL_INSTANTS }: Zoned,
  outside: "NULL" | typeof REJECTED = REJECTED,
): string {
  if (zone === UTC) return utc;
  const [first, last] = ALL_INSTANTS;
  const checked = checkedSql(utc, within, [first - offsetAt(zone, first), last - offsetAt(zone, last)], outside);
  return `make_timestamp(${checked} + ${offsetSql(utc, offsetsBetween(zone, ...within))})`;
}

/**
 * SQL of the instant at which a span of local time begins, as microseconds: rows share it that share the local date,
 * the hour (or minute) and the offset. Undefined where these are the spans of UTC.
 */
export function localStartSql(utc: string, spanUs: number, { zone, within = ALL_INSTANTS }: Zoned): string | undefined {
  if (zone === UTC) return undefined;
  const offsets = offsetsBetween(zone, ...within);
  const changes = offsets.periods.slice(1);
  const isWhole = (seconds: number) => (seconds * SECOND_US) % spanUs === 0;
  if (offsets.periods.every(({ offset }) => isWhole(offset)) && changes.every(({ from }) => isWhole(from)))
    return undefined;
  const shifted = `epoch_us(${utc}) + ${FIRST_INSTANT_US + BigInt(DAY * SECOND_US)} + ${offsetSql(utc, offsets)}`;
  const [first, last] = ALL_INSTANTS;
  const span = spanUs / SECOND_US;
  const least = first + ((((first - offsetAt(zone, first)) % span) + span) % span);
  const start = `${checkedSql(utc, within, [least, last], REJECTED)} - (${shifted}) % ${spanUs}`;
  const isCut = changes.some(({ from, offset }) => !isWhole(from + offset));
  if (!isCut) return start;
  const cut = cutSql(utc, offsets, isWhole);
  return `CASE WHEN ${start} < ${cut} THEN ${cut} ELSE ${start} END`;
}

const offsetSql = (utc: string, { periods, isRepeated }: ZoneOffsets): string =>
  stepSql(
    utc,
    periods.map(({ from, offset }) => ({ from, value: offset * SECOND_US })),
    isRepeated,
  );

/** When the offset that applies began to do so, as microseconds, where that was within a span. */
function cutSql(utc: string, { periods, isRepeated }: ZoneOffsets, isWhole: (seconds: number) => boolean): string {
  const never = ALL_INSTANTS[0] * SECOND_US;
  const starts = periods.map(({ from, offset }) => ({
    from,
    value: from === -Infinity || isWhole(from + offset) ? never : from * SECOND_US,
  }));
  const changes = starts.filter(({ value }, at) => value !== starts[at - 1]?.value);
  return stepSql(utc, changes, isRepeated, (start, same) => `${start} + epoch_us(${utc}) - epoch_us(${same})`);
}

/** What applies from an instant on. */
interface Step extends Pick<OffsetPeriod, "from"> {
  value: number;
}

/** What applies at an instant; `moved` in later years than those that are repeated. */
function stepSql(
  utc: string,
  steps: readonly Step[],
  isRepeated: boolean,
  moved: (sql: string, same: string) => string = (sql) => sql,
): string {
  if (!isRepeated) return treeSql(utc, steps);
  const same = sameInstantSql(utc);
  const repeated = steps.slice(
    Math.max(
      0,
      steps.findLastIndex(({ from }) => from <= REPEATED.start),
    ),
  );
  const later = moved(treeSql(same, repeated), same);
  return `CASE WHEN ${utc} < ${instantSql(REPEATED.end)} THEN ${treeSql(utc, steps)} ELSE ${later} END`;
}

/** The instant of the same offset within the years whose offsets are repeated. */
function sameInstantSql(utc: string): string {
  const first = `make_date(year(${utc}), 1, 1)`;
  const starts = `[${REPEATED.starts.map((start) => start * SECOND_US).join(", ")}]`;
  const start = `${starts}[isodow(${first}) + 7 * (dayofyear(make_date(year(${utc}), 12, 31)) - 365)]`;
  return `make_timestamp(epoch_us(${utc}) - epoch_us(CAST(${first} AS TIMESTAMP)) + ${start})`;
}

const instantSql = (seconds: number): string => `make_timestamp(${seconds * SECOND_US})`;

function treeSql(at: string, steps: readonly Step[]): string {
  const [first, ...rest] = steps;
  if (first && rest.length === 0) return String(first.value);
  const middle = Math.ceil(steps.length / 2);
  const [before, after] = [steps.slice(0, middle), steps.slice(middle)].map((half) => treeSql(at, half));
  return `CASE WHEN ${at} < ${instantSql(steps[middle]?.from ?? 0)} THEN ${before} ELSE ${after} END`;
}

/** The microseconds of a timestamp; `outside` for one that is not between the least and the greatest. */
function checkedSql(
  utc: string,
  [from, to]: readonly [from: number, to: number],
  [least, most]: readonly [least: number, most: number],
  outside: string,
): string {
  const [first, last] = ALL_INSTANTS;
  const us = `epoch_us(${utc})`;
  if (from - first > FARTHEST && last - to > FARTHEST) return us;
  const isOutside = `${us} < ${least * SECOND_US} OR ${us} >= ${(most + 1) * SECOND_US}`;
  return `CASE WHEN ${isOutside} THEN ${outside} ELSE ${us} END`;
}
