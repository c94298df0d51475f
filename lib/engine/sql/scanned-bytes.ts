import type { Condition } from "@/lib/engine/plan/conditions";
import type { Plan, PlannedAggregate, PlannedLookup } from "@/lib/engine/plan/planned";
import { columnTypeOfDuckdb, type EngineColumn } from "@/lib/engine/types/column-types";
import { OPERATORS } from "@/lib/engine/types/operators";
import { leafCount, parseStorageType } from "@/lib/engine/types/storage-type";
import { quoteLiteral } from "./identifier";
import type { Statement } from "./sql";

/** What a Parquet footer records of one table column in one row group; min and max are absent if unknown or nested. */
interface Chunk {
  bytes: number;
  /** Bytes of its values before compression; dictionary pages contain each value once. */
  plainBytes: number;
  min: string | undefined;
  max: string | undefined;
  nulls: number | undefined;
}

interface RowGroup {
  firstRow: number;
  rows: number;
  chunks: Chunk[];
}

export type Footer = readonly RowGroup[];

const NO_STATISTICS = { min: undefined, max: undefined, nulls: undefined };

export function footerSql(parquetPath: string): Statement {
  const sql =
    "SELECT row_group_id, column_id, row_group_num_rows, total_compressed_size, total_uncompressed_size, " +
    `stats_min_value, stats_max_value, stats_null_count FROM parquet_metadata(${quoteLiteral(parquetPath)}) ` +
    "ORDER BY row_group_id, column_id";
  return { sql, params: [] };
}

/** Builds a footer from the rows of `footerSql`; the leaves of a nested column are added up. */
export function readFooter(rows: readonly (readonly unknown[])[], columns: readonly EngineColumn[]): Footer {
  const owners = columns.flatMap((column, index) => Array.from({ length: leavesOf(column) }, () => index));
  const groups: RowGroup[] = [];
  for (const [group, leaf, count, bytes, plain, min, max, nulls] of rows) {
    const row = groups[Number(group)] ?? { firstRow: 0, rows: Number(count), chunks: [] };
    groups[Number(group)] = row;
    const owner = owners[Number(leaf)] ?? 0;
    const chunk = row.chunks[owner];
    const sizes = { bytes: Number(bytes) + (chunk?.bytes ?? 0), plainBytes: Number(plain) + (chunk?.plainBytes ?? 0) };
    const statistics = chunk
      ? NO_STATISTICS
      : { min: textOf(min), max: textOf(max), nulls: typeof nulls === "bigint" ? Number(nulls) : undefined };
    row.chunks[owner] = { ...sizes, ...statistics };
  }
  for (const [index, group] of groups.entries())
    group.firstRow = (groups[index - 1]?.firstRow ?? 0) + (groups[index - 1]?.rows ?? 0);
  return groups;
}

/**
 * Stored bytes of the columns that a plan touches, in the row groups that its filters cannot exclude by their
 * statistics.
 */
export function scannedBytes(footer: Footer, plan: Plan, after: bigint | undefined): number {
  const columns = touchedColumns(plan);
  const isInOrder = plan.kind === "rows" && plan.order.length === 0 && !plan.top;
  let bytes = 0;
  for (const group of footer) {
    if (isInOrder && after !== undefined && BigInt(group.firstRow + group.rows - 1) <= after) continue;
    if (plan.conditions.some((condition) => excludes(condition, group.chunks[condition.column], group.rows))) continue;
    for (const column of columns) bytes += group.chunks[column]?.bytes ?? 0;
  }
  return bytes;
}

/** Stored bytes of the columns that a lookup reads of another table: its key and its columns. */
export function lookedUpBytes(footer: Footer, { on, columns }: PlannedLookup): number {
  const read = new Set([...on.map(([key]) => key), ...columns.map(({ column }) => column)]);
  return footer.reduce((sum, { chunks }) => [...read].reduce((all, at) => all + (chunks[at]?.bytes ?? 0), sum), 0);
}

/** Average bytes of a row's values in some columns, before compression. */
export function rowBytes(footer: Footer, columns: readonly number[]): number {
  const rows = footer.reduce((sum, group) => sum + group.rows, 0);
  const bytes = footer.reduce(
    (sum, group) => sum + columns.reduce((all, column) => all + (group.chunks[column]?.plainBytes ?? 0), 0),
    0,
  );
  return rows === 0 ? 0 : bytes / rows;
}

/** Whether a column may contain a null; true if the footer does not say. */
export function mayContainNull(footer: Footer, column: number): boolean {
  return footer.some((group) => group.chunks[column]?.nulls !== 0);
}

/**
 * The least and the greatest number of a column, which has no NaN and no infinity; undefined if the footer does not
 * say.
 */
export function extremesIn(footer: Footer, column: number): [least: number, most: number] | undefined {
  const ends = footer.flatMap(({ chunks, rows }) => {
    const { min, max, nulls } = chunks[column] ?? NO_STATISTICS;
    return nulls === rows ? [] : [min, max].map((text) => Number(text ?? Number.NaN));
  });
  return ends.every(Number.isFinite) ? [Math.min(0, ...ends), Math.max(0, ...ends)] : undefined;
}

/** The first instant of a column of dates or timestamps, in milliseconds since 1970; NaN if the footer does not say. */
export function firstInstantIn(footer: Footer, column: number): number {
  const ends = footer.flatMap(({ chunks, rows }) => {
    const { min = "", nulls } = chunks[column] ?? NO_STATISTICS;
    if (nulls === rows) return [];
    const [day = "", clock = "00:00:00"] = min.replace(/\+00(?::00)?$/, "").split(" ");
    return [/^\d{4}-/.test(day) && !min.includes("BC") ? Date.parse(`${day}T${clock}Z`) : Number.NaN];
  });
  return ends.length > 0 ? Math.min(...ends) : Number.NaN;
}

/**
 * Days between which all values of a column of timestamps are, in seconds since 1970; undefined if the footer does not
 * say.
 */
export function daysIn(footer: Footer, column: number): [from: number, to: number] | undefined {
  const ends = footer.flatMap(({ chunks, rows }) => {
    const { min, max, nulls } = chunks[column] ?? NO_STATISTICS;
    return nulls === rows ? [] : [dayOf(min), dayOf(max) + 86_400];
  });
  return ends.length > 0 && ends.every(Number.isFinite) ? [Math.min(...ends), Math.max(...ends)] : undefined;
}

const dayOf = (text = ""): number => {
  const isUsual = /^\d{4}-\d{2}-\d{2}[ T]/.test(text) && !text.includes("BC");
  return isUsual ? Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / 1000 : Number.NaN;
};

function touchedColumns(plan: Plan): Set<number> {
  const filtered = [
    ...plan.conditions.map((condition) => condition.column),
    ...(plan.search?.columns ?? []),
    ...(plan.near ? [plan.near.latitude, plan.near.longitude] : []),
    ...(plan.lookups ?? []).flatMap(({ on }) => on.map(([, own]) => own)),
  ];
  switch (plan.kind) {
    case "rows":
      return new Set([
        ...plan.columns,
        ...filtered,
        ...plan.order.map((key) => key.column),
        ...(plan.top?.by ?? []),
        ...(plan.top?.order ?? []).map((key) => key.column),
      ]);
    case "cell":
      return new Set([plan.column, ...filtered]);
    case "groups":
      return new Set([
        ...plan.groups.map((group) => group.column),
        ...filtered,
        ...plan.aggregates.flatMap(usedColumns),
      ]);
  }
}

const usedColumns = ({ column, with: other, filters = [] }: PlannedAggregate): number[] => [
  ...[column, other].filter((used) => used !== undefined),
  ...filters.map((condition) => condition.column),
];

function excludes(condition: Condition, chunk: Chunk | undefined, rows: number): boolean {
  if (condition.operator === "never") return true;
  if (!chunk) return false;
  const operator = OPERATORS[condition.operator];
  if (operator.isNull) return chunk.nulls === 0;
  if (chunk.nulls === rows) return true;
  if (condition.ignoreCase) return false;
  const { min, max } = chunk;
  if (min === undefined || max === undefined) return false;
  const compare = columnTypeOfDuckdb(condition.cast)?.compareTexts ?? (() => undefined);
  return operator.excludes?.(condition.values, { min, max, compare }) ?? false;
}

function leavesOf(column: EngineColumn): number {
  const storage = parseStorageType(column.storage);
  return storage ? leafCount(storage) : 1;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
