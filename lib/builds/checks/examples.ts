type Rows = readonly (readonly (string | null)[])[];

export interface CheckExample {
  check: { check: string; [key: string]: unknown };
  passes: Rows;
  fails: Rows;
  /** The rows of the current release, where the check compares. */
  previous?: Rows;
}

const A: readonly string[] = ["A", "1", "5", "2026-11-19"];
const B: readonly string[] = ["B", "2", "5", "2026-11-20"];

/** Columns of the examples' rows, with their types. */
export const EXAMPLE_COLUMNS = { station: "string", level: "int32", flood: "int32", day: "date" } as const;

/** THE example of each check, in the order of the docs: rows that pass, and rows that fail. */
export const CHECK_EXAMPLES: Readonly<Record<string, CheckExample>> = {
  not_null: {
    check: { check: "not_null", columns: ["station"] },
    passes: [A],
    fails: [[null, "1", "5", "2026-11-19"]],
  },
  unique: { check: { check: "unique", columns: ["station", "day"] }, passes: [A, B], fails: [A, A] },
  accepted_values: {
    check: { check: "accepted_values", column: "station", values: ["A", "B"] },
    passes: [A, B],
    fails: [["C", "1", "5", "2026-11-19"]],
  },
  range: {
    check: { check: "range", column: "level", min: 0, max: 100 },
    passes: [A, B],
    fails: [["A", "-1", "5", "2026-11-19"]],
  },
  pattern: {
    check: { check: "pattern", column: "station", pattern: "^[A-Z]$" },
    passes: [A],
    fails: [["a", "1", "5", "2026-11-19"]],
  },
  row_count: { check: { check: "row_count", min: 2 }, passes: [A, B], fails: [A] },
  row_count_change: {
    check: { check: "row_count_change", fall: "10%", rise: "100%" },
    previous: [A, B],
    passes: [A, B],
    fails: [A],
  },
  references: {
    check: { check: "references", columns: ["station"], to: { source: "other", columns: ["id"] } },
    passes: [A, B],
    fails: [["C", "1", "5", "2026-11-19"]],
  },
  freshness_of_column: {
    check: { check: "freshness_of_column", column: "day", max_age: "P3D" },
    passes: [A, B],
    fails: [["A", "1", "5", "2026-11-01"]],
  },
  compare: {
    check: { check: "compare", left: "level", operator: "lte", right: "flood" },
    passes: [A, B],
    fails: [["A", "6", "5", "2026-11-19"]],
  },
  null_share: {
    check: { check: "null_share", column: "level", max: "50%" },
    passes: [A, ["B", null, "5", "2026-11-20"]],
    fails: [["B", null, "5", "2026-11-20"]],
  },
  complete_series: {
    check: { check: "complete_series", column: "day", every: "P1D" },
    passes: [A, B],
    fails: [A, ["A", "1", "5", "2026-11-21"]],
  },
  keeps_rows: { check: { check: "keeps_rows" }, previous: [A], passes: [A, B], fails: [B] },
  new_values: {
    check: { check: "new_values", column: "station" },
    previous: [A, B],
    passes: [B],
    fails: [["C", "1", "5", "2026-11-19"]],
  },
};
