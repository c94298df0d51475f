import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { onlyRow } from "@/lib/readers/bench";
import type { StoredColumn } from "@/lib/schemas/column";
import type { Change } from "@/lib/schemas/table";
import type { Workbench } from "./workbench";

interface Compared {
  path: string;
  columns: readonly StoredColumn[];
  rows: number;
  primaryKey: readonly string[];
}

/**
 * What a new file changes compared with the current version. Undefined if their content is equal: the same columns with
 * the same notes and key, and every row equal in its position, with NaN equal to NaN.
 */
export async function changeBetween(bench: Workbench, before: Compared, after: Compared): Promise<Change | undefined> {
  const kind = columnChange(before.columns, after.columns);
  if (kind !== "same") return kind;
  if (await equalInPlace(bench, before, after)) return sameDescriptions(before, after) ? undefined : "metadata";
  return (await holdsEveryRow(bench, before, after)) ? "appended" : "restated";
}

/** Columns are compared by name and type; their order is a note, not content. */
function columnChange(
  before: readonly StoredColumn[],
  after: readonly StoredColumn[],
): "breaking" | "columns_added" | "same" {
  const typeText = ({ type, storage }: StoredColumn) => `${type} ${storage}`;
  const types = new Map(after.map((column) => [column.name, typeText(column)]));
  if (before.some((column) => types.get(column.name) !== typeText(column))) return "breaking";
  return after.length > before.length ? "columns_added" : "same";
}

function sameDescriptions(before: Compared, after: Compared): boolean {
  const text = ({ columns, primaryKey }: Compared) =>
    JSON.stringify([columns.map(({ name, type, description, unit }) => [name, type, description, unit]), primaryKey]);
  return text(before) === text(after);
}

/** Sums of row hashes find most differences in one fast pass; equality is then verified value by value. */
async function equalInPlace(bench: Workbench, before: Compared, after: Compared): Promise<boolean> {
  if (before.rows !== after.rows) return false;
  if (
    (await orderedHash(bench, before, before.columns, before.rows)) !==
    (await orderedHash(bench, after, before.columns, before.rows))
  )
    return false;
  const differs = before.columns.map(
    ({ name }) => `a.${quoteIdentifier(name)} IS DISTINCT FROM b.${quoteIdentifier(name)}`,
  );
  const [count] = await onlyRow(
    bench,
    `SELECT count(*)::VARCHAR FROM ${read(before)} AS a POSITIONAL JOIN ${read(after)} AS b WHERE ` +
      `${differs.join(" OR ")}`,
  );
  return count === "0";
}

/**
 * Whether `after` contains every row of `before` at least as often, at any position. Rows are compared by a 128-bit
 * hash.
 */
async function holdsEveryRow(bench: Workbench, before: Compared, after: Compared): Promise<boolean> {
  if (after.rows <= before.rows) return false;
  if (
    (await orderedHash(bench, before, before.columns, before.rows)) ===
    (await orderedHash(bench, after, before.columns, before.rows))
  )
    return true;
  const counted = (file: Compared) =>
    `(SELECT ${rowHash(before.columns, "1")} AS one, ${rowHash(before.columns, "2")} AS two, count(*) AS times ` +
    `FROM ${read(file)} GROUP BY ALL)`;
  const missing =
    `SELECT count(*)::VARCHAR FROM ${counted(before)} AS a LEFT JOIN ${counted(after)} AS b USING (one, two) ` +
    "WHERE b.times IS NULL OR b.times < a.times";
  return (await onlyRow(bench, missing))[0] === "0";
}

/** A hash of the first rows of a file that depends on their positions. */
async function orderedHash(
  bench: Workbench,
  file: Compared,
  columns: readonly StoredColumn[],
  rows: number,
): Promise<string> {
  const source = `read_parquet(${quoteLiteral(file.path)}, file_row_number = true)`;
  const sql =
    `SELECT count(*) || ' ' || coalesce(sum(${rowHash(columns, "file_row_number")}::HUGEINT), 0) FROM ${source} ` +
    `WHERE file_row_number < ${rows}`;
  return (await onlyRow(bench, sql))[0] ?? "";
}

const rowHash = (columns: readonly StoredColumn[], salt: string): string =>
  `hash(${[salt, ...columns.map(({ name }) => quoteIdentifier(name))].join(", ")})`;

const read = (file: Compared): string => `read_parquet(${quoteLiteral(file.path)})`;
