import type { Caller, Engine, Session } from "@/lib/engine/duckdb/engine";
import { readParquets } from "@/lib/engine/duckdb/source";
import {
  changesAtSql,
  countedSql,
  keyedSql,
  keyFaultsSql,
  type Pair,
  rowsAtSql,
  type SharedColumn,
  valuesOf,
} from "@/lib/engine/sql/compare-sql";
import type { Source, Statement } from "@/lib/engine/sql/sql";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import type { SealedVersion } from "./sealed-version";

export interface ComparedVersion extends SealedVersion {
  /** Columns that no two of its rows share; empty if none was declared. */
  primaryKey: readonly string[];
}

/** How the rows of two versions differ, in the columns that both have with the same type. */
export interface RowComparison {
  /** Rows are matched by these columns; without any, entire rows are counted. */
  key: string[];
  columns: string[];
  added: number;
  removed: number;
  /** Null if entire rows are counted; a changed row then counts as one removed and one added. */
  changed: number | null;
  unchanged: number;
  /** The columns with most changes first. */
  changedColumns: { name: string; rows: number }[];
  /** Rows as JSON text; long cells are cut as in a preview. */
  examples: { added: string[]; removed: string[]; changed: { before: string; after: string; columns: string[] }[] };
}

/**
 * Compares the rows of two versions. Undefined if they have no column in common. Uses a slot and has a time limit like
 * a query, and throws the same failures.
 */
export async function compareRows(
  engine: Engine,
  before: ComparedVersion,
  after: ComparedVersion,
  examples: number,
  caller?: Caller,
): Promise<RowComparison | undefined> {
  const columns = sharedColumns(before.columns, after.columns);
  if (columns.length === 0) return undefined;
  if (before.digest === after.digest) return sameRows(after, columns);
  return await engine.run(
    (session) =>
      readParquets([before, after], async ([one, two]) => {
        const pair: Pair = { before: one as Source, after: two as Source, columns, key: [] };
        const key = await usableKey(session, pair, before, after);
        return key.length > 0
          ? await compareByKey(session, { ...pair, key }, after.rows, examples)
          : await countRows(session, pair, examples);
      }),
    caller,
  );
}

/** The result for equal bytes, which hold equal rows: nothing needs to be read. */
function sameRows({ rows, primaryKey }: ComparedVersion, columns: readonly SharedColumn[]): RowComparison {
  const head = { key: [...primaryKey], columns: columns.map(({ name }) => name) };
  const changed = primaryKey.length > 0 ? 0 : null;
  return {
    ...head,
    added: 0,
    removed: 0,
    changed,
    unchanged: rows,
    changedColumns: [],
    examples: { added: [], removed: [], changed: [] },
  };
}

/** The columns that both versions have with the same name and type. */
export function sharedColumns(before: readonly EngineColumn[], after: readonly EngineColumn[]): SharedColumn[] {
  return after.flatMap((column, at) => {
    const index = before.findIndex(
      ({ name, type, storage }) => name === column.name && type === column.type && storage === column.storage,
    );
    return index < 0 ? [] : [{ ...column, before: index, after: at }];
  });
}

/**
 * The key that the newer version declares, if both have its columns. It is verified in a version that did not declare
 * it.
 */
export async function usableKey(
  session: Session,
  pair: Pair,
  before: ComparedVersion,
  after: ComparedVersion,
): Promise<SharedColumn[]> {
  const names = after.primaryKey.length > 0 ? after.primaryKey : before.primaryKey;
  const key = names.flatMap((name) => pair.columns.find((column) => column.name === name) ?? []);
  if (key.length === 0 || key.length < names.length) return [];
  const declares = (version: ComparedVersion) =>
    [...version.primaryKey].sort().join("\0") === [...names].sort().join("\0");
  for (const [side, version] of [
    ["before", before],
    ["after", after],
  ] as const) {
    if (!declares(version) && (await numbers(session, keyFaultsSql({ ...pair, key }, side)))[0] !== 0) return [];
  }
  return key;
}

async function compareByKey(session: Session, pair: Pair, rowsAfter: number, take: number): Promise<RowComparison> {
  const [positions, [added = 0, removed = 0, changed = 0, ...perColumn]] = await found(
    session,
    keyedSql(pair, take),
    4,
  );
  const [ofAdded = [], ofRemoved = [], before = [], after = []] = positions;
  const values = valuesOf(pair).map(({ name }) => name);
  const changedColumns = values.map((name, at) => ({ name, rows: perColumn[at] ?? 0 })).filter(({ rows }) => rows > 0);
  return {
    ...headOf(pair),
    added,
    removed,
    changed,
    unchanged: rowsAfter - added - changed,
    changedColumns: changedColumns.sort((a, b) => b.rows - a.rows),
    examples: {
      added: await rowsAt(session, pair, "after", ofAdded),
      removed: await rowsAt(session, pair, "before", ofRemoved),
      changed: after.length > 0 ? await changes(session, pair, before, after) : [],
    },
  };
}

const headOf = ({ key, columns }: Pair): Pick<RowComparison, "key" | "columns"> => ({
  key: key.map(({ name }) => name),
  columns: columns.map(({ name }) => name),
});

async function changes(
  session: Session,
  pair: Pair,
  before: readonly string[],
  after: readonly string[],
): Promise<RowComparison["examples"]["changed"]> {
  const names = valuesOf(pair).map(({ name }) => name);
  const rows = await session.all(changesAtSql(pair, before, after));
  return rows.map(([older, newer, marks]) => ({
    before: String(older),
    after: String(newer),
    columns: names.filter((_, at) => String(marks)[at] === "1"),
  }));
}

async function countRows(session: Session, pair: Pair, take: number): Promise<RowComparison> {
  const [positions, [added = 0, removed = 0, unchanged = 0]] = await found(session, countedSql(pair, take), 2);
  const [ofAdded = [], ofRemoved = []] = positions;
  return {
    ...headOf(pair),
    added,
    removed,
    changed: null,
    unchanged,
    changedColumns: [],
    examples: {
      added: await rowsAt(session, pair, "after", ofAdded),
      removed: await rowsAt(session, pair, "before", ofRemoved),
      changed: [],
    },
  };
}

/** Reads a row of `lists` lists of positions, followed by numbers. */
async function found(session: Session, statement: Statement, lists: number): Promise<[string[][], number[]]> {
  const [row = []] = await session.all(statement);
  const positions = row.slice(0, lists).map((text) => (text === null ? [] : String(text).split(",")));
  return [positions, row.slice(lists).map(Number)];
}

async function numbers(session: Session, statement: Statement): Promise<number[]> {
  const [row = []] = await session.all(statement);
  return row.map(Number);
}

async function rowsAt(
  session: Session,
  pair: Pair,
  side: "before" | "after",
  positions: readonly string[],
): Promise<string[]> {
  if (positions.length === 0) return [];
  return (await session.all(rowsAtSql(pair, side, positions))).map(([text]) => String(text));
}
