import { constant, holdsAll, type RecipeFilter } from "./recipe-expressions";
import { cellAt, grouped, keyText, ordered, passes, place, type RecipeColumn, type RecipeTable } from "./recipe-table";
import { monthsLater } from "./recipe-times";
import { compareValues, DAY_US, type Typed, typed, type Value } from "./recipe-values";

type Row = readonly Value[];

// biome-ignore lint/suspicious/noExplicitAny: checks as the recipe has them
export type RecipeCheck = Record<string, any> & { check: string };

/** The input of a check. */
export interface Checked {
  table: RecipeTable;
  /** The rows that match its `where`. */
  rows: readonly Row[];
  others: Readonly<Record<string, RecipeTable>>;
  previous: RecipeTable | undefined;
  /** In microseconds since 1970. */
  now: bigint;
}

export interface CheckOutcome {
  check: string;
  outcome: "passed" | "failed" | "not_applicable";
  failures: number;
  examined: number;
}

type Failures = (check: RecipeCheck, checked: Checked) => number;

const cellsOf = ({ table, rows }: Checked, name: string): Typed[] =>
  rows.map((row) => cellAt(table, row, place(table, name)));
const present = (cells: readonly Typed[]): Typed[] => cells.filter(({ value }) => value !== null);
const count = <T>(items: readonly T[], test: (item: T) => boolean): number => items.filter(test).length;
const given = ({ family }: Typed, value: unknown): Typed =>
  family === "date" ? constant(value, "date") : constant(value);

const notNull: Failures = ({ columns }, { table, rows }) =>
  count(rows, (row) => columns.some((name: string) => row[place(table, name)] === null));

const unique: Failures = ({ columns }, { table, rows }) => {
  const whole = rows.filter((row) => columns.every((name: string) => row[place(table, name)] !== null));
  return whole.length - grouped({ ...table, rows: whole }, columns).length;
};

const isAmong = (cell: Typed, others: readonly Typed[]): boolean =>
  others.some((other) => passes(cell, "eq", other) === true);

const acceptedValues: Failures = ({ column, values, in: named }, checked) => {
  const other = named && (checked.others[named.table] as RecipeTable);
  const accepted = other?.rows.map((row: Row) => cellAt(other, row, place(other, named.column)));
  return count(
    present(cellsOf(checked, column)),
    (cell) => !isAmong(cell, accepted ?? values.map((value: unknown) => given(cell, value))),
  );
};

const range: Failures = ({ column, min, max, exclusive }, checked) =>
  count(present(cellsOf(checked, column)), (cell) => {
    const [below, above] = exclusive ? ["gt", "lt"] : ["gte", "lte"];
    const isLow = min !== undefined && !passes(cell, below as string, given(cell, min));
    const isHigh = max !== undefined && !passes(cell, above as string, given(cell, max));
    return isLow || isHigh;
  });

const pattern: Failures = (check, checked) =>
  count(present(cellsOf(checked, check.column)), ({ value }) => !new RegExp(check.pattern, "u").test(String(value)));

const rowCount: Failures = ({ min = 0, max = Number.POSITIVE_INFINITY }, { rows }) =>
  rows.length < min || rows.length > max ? 1 : 0;

/** Hundredths of a percent, so that nothing is rounded. */
const hundredths = (percent: string): number => Math.round(Number(percent.slice(0, -1)) * 100);

const rowCountChange: Failures = ({ fall, rise }, { rows, previous }) => {
  const before = previous?.rows.length ?? 0;
  const [now, whole] = [rows.length * 10_000, 10_000];
  const hasFallen = fall !== undefined && now < before * (whole - hundredths(fall));
  const hasRisen = rise !== undefined && now > before * (whole + hundredths(rise));
  return before > 0 && (hasFallen || hasRisen) ? 1 : 0;
};

const references: Failures = ({ columns, to }, { table, rows, others }) => {
  const other = others[to.table ?? to.source] as RecipeTable;
  const mine = (row: Row) => columns.map((name: string) => row[place(table, name)] ?? null);
  const theirs = new Set(
    other.rows.map((row) => keyText(to.columns.map((name: string) => row[place(other, name)] ?? null))),
  );
  return count(rows, (row) => !mine(row).includes(null) && !theirs.has(keyText(mine(row))));
};

const microsOf = ({ family, value }: Typed): bigint =>
  family === "date" ? (value as bigint) * DAY_US : (value as bigint);

/** An instant and a duration of one unit. */
function later(at: bigint, duration: string): bigint {
  const [, digits, unit = ""] = /^P(\d+)([YMWD])$/.exec(duration) ?? [];
  if (unit === "Y" || unit === "M") return monthsLater(at, Number(digits) * (unit === "Y" ? 12 : 1));
  return at + BigInt(digits ?? 0) * (unit === "W" ? 7n : 1n) * DAY_US;
}

const freshness: Failures = ({ column, max_age: age }, checked) => {
  const instants = present(cellsOf(checked, column)).map(microsOf);
  const newest = instants.sort(compareValues).at(-1);
  return newest !== undefined && later(newest, age) < checked.now ? 1 : 0;
};

const compare: Failures = ({ left, operator, right }, { table, rows }) =>
  count(
    rows,
    (row) =>
      passes(cellAt(table, row, place(table, left)), operator, cellAt(table, row, place(table, right))) === false,
  );

const nullShare: Failures = ({ column }, checked) => count(cellsOf(checked, column), ({ value }) => value === null);

const completeSeries: Failures = ({ column, every, within = [] }, { table, rows }) => {
  const at = place(table, column);
  const { family } = table.columns[at] as RecipeColumn;
  const next = (value: bigint) =>
    typeof every === "number" ? value + BigInt(every) : later(microsOf(typed(family, value)), every);
  const whole = rows.filter((row) => row[at] !== null);
  const gaps = grouped({ ...table, rows: whole }, within).map((group) => {
    const sorted = ordered(table, group, [{ column }]).map((row) => row[at] as bigint);
    const steps = [...new Set(sorted)];
    return count(steps.slice(1), (value) => {
      const before = steps[steps.indexOf(value) - 1] as bigint;
      const after = typeof every === "number" ? value : microsOf(typed(family, value));
      return next(before) !== after && !isOfLastDays(microsOf(typed(family, before)), after, every);
    });
  });
  return gaps.reduce((sum, gap) => sum + gap, 0);
};

/** Whether steps of months lead from a month's last day to a later day of the month that they lead to. */
function isOfLastDays(before: bigint, after: bigint, every: unknown): boolean {
  if (!/^P\d+[YM]$/.test(String(every)) || new Date(Number((before + DAY_US) / 1000n)).getUTCDate() !== 1) return false;
  const expected = later(before, String(every));
  const [from, to] = [expected, after].map((at) => new Date(Number(at / 1000n)).toISOString().slice(0, 7));
  return after > expected && from === to && (after - expected) % DAY_US === 0n;
}

const keepsRows: Failures = (_check, { rows, previous }) => {
  const now = new Set(rows.map(keyText));
  return count([...new Set(previous?.rows.map(keyText))], (row) => !now.has(row));
};

const newValues: Failures = ({ column }, checked) => {
  const { previous } = checked;
  const keyOf = ({ value }: Typed) => keyText([value]);
  const before = new Set(
    previous ? cellsOf({ ...checked, table: previous, rows: previous.rows }, column).map(keyOf) : [],
  );
  return count([...new Set(present(cellsOf(checked, column)).map(keyOf))], (value) => !before.has(value));
};

const CHECKS: Readonly<Record<string, Failures>> = {
  not_null: notNull,
  unique,
  accepted_values: acceptedValues,
  range,
  pattern,
  row_count: rowCount,
  row_count_change: rowCountChange,
  references,
  freshness_of_column: freshness,
  compare,
  null_share: nullShare,
  complete_series: completeSeries,
  keeps_rows: keepsRows,
  new_values: newValues,
};

const OF_PREVIOUS = ["row_count_change", "keeps_rows", "new_values"];

/** Whether the number of failures is within a count or a share of what was examined. */
const isAllowed = (failures: number, limit: number | string, examined: number): boolean =>
  typeof limit === "number" ? failures <= limit : failures * 10_000 <= hundredths(limit) * examined;

/** The result of a check for finished rows, based only on the specification. */
export function evaluateCheck(check: RecipeCheck, { rows, ...checked }: Checked): CheckOutcome {
  const work = CHECKS[check.check];
  if (!work) throw new Error(`The evaluator lacks ${check.check}`);
  if (OF_PREVIOUS.includes(check.check) && !checked.previous)
    return { check: check.check, outcome: "not_applicable", failures: 0, examined: 0 };
  const where: RecipeFilter[] = check.where ?? [];
  const passing = rows.filter((row) => holdsAll(where, checked.table, row) === true);
  const failures = work(check, { ...checked, rows: passing });
  const limit = check.check === "null_share" ? check.max : (check.max_failures ?? 0);
  const outcome = isAllowed(failures, limit, passing.length) ? "passed" : "failed";
  return { check: check.check, outcome, failures, examined: passing.length };
}
