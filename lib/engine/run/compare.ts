import type { Caller, Engine, Session } from "@/lib/engine/duckdb/engine";
import { readParquets } from "@/lib/engine/duckdb/source";
import {
  countedRowsSql,
  countedSql,
  keyedChangesSql,
  keyedCountsSql,
  keyedRowsSql,
  keyFaultsSql,
  type Pair,
  type SharedColumn,
  valuesOf,
} from "@/lib/engine/sql/compare-sql";
import type { Source } from "@/lib/engine/sql/sql";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import type { SealedVersion } from "./query";

export interface ComparedVersion extends SealedVersion {
  /** Columns that no two of its rows share; empty if none was declared. */
  primaryKey: readonly string[];
}

/** How the rows of two versions differ, in the columns that both have with the same type. */
export interface RowComparison {
  /** Rows are matched by these columns; without any, whole rows are counted. */
  key: string[];
  columns: string[];
  added: number;
  removed: number;
  /** Null if whole rows are counted; a changed row then counts as one removed and one added. */
  changed: number | null;
  unchanged: number;
  /** Most changes first. */
  changedColumns: { name: string; rows: number }[];
  /** Rows as JSON text; long cells are cut as in a preview. */
  examples: { added: string[]; removed: string[]; changed: { before: string; after: string; columns: string[] }[] };
}

/**
 * Compares the rows of two versions. Undefined if they have no column in common. Uses a slot and its time like a query;
 * throws as they do.
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

/** Equal bytes hold equal rows: nothing needs to be read. */
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
    const place = before.findIndex(
      ({ name, type, storage }) => name === column.name && type === column.type && storage === column.storage,
    );
    return place < 0 ? [] : [{ ...column, before: place, after: at }];
  });
}

/**
 * The key that the newer version declares, if both have its columns; verified where a version did not declare it
 * itself.
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
  const [added = 0, removed = 0, changed = 0, ...perColumn] = await numbers(session, keyedCountsSql(pair));
  const values = valuesOf(pair).map(({ name }) => name);
  const changedColumns = values.map((name, at) => ({ name, rows: perColumn[at] ?? 0 })).filter(({ rows }) => rows > 0);
  const examples = {
    added: added > 0 ? await texts(session, keyedRowsSql(pair, "after", take)) : [],
    removed: removed > 0 ? await texts(session, keyedRowsSql(pair, "before", take)) : [],
    changed: changed > 0 ? await changes(session, pair, take) : [],
  };
  const head = { key: pair.key.map(({ name }) => name), columns: pair.columns.map(({ name }) => name) };
  return {
    ...head,
    added,
    removed,
    changed,
    unchanged: rowsAfter - added - changed,
    changedColumns: changedColumns.sort((a, b) => b.rows - a.rows),
    examples,
  };
}

async function changes(session: Session, pair: Pair, take: number): Promise<RowComparison["examples"]["changed"]> {
  const names = valuesOf(pair).map(({ name }) => name);
  const rows = await session.all(keyedChangesSql(pair, take));
  return rows.map(([before, after, marks]) => ({
    before: String(before),
    after: String(after),
    columns: names.filter((_, at) => String(marks)[at] === "1"),
  }));
}

async function countRows(session: Session, pair: Pair, take: number): Promise<RowComparison> {
  const [removed = 0, added = 0, unchanged = 0] = await numbers(session, countedSql(pair));
  const examples = {
    added: added > 0 ? await texts(session, countedRowsSql(pair, "after", take)) : [],
    removed: removed > 0 ? await texts(session, countedRowsSql(pair, "before", take)) : [],
    changed: [],
  };
  return {
    key: [],
    columns: pair.columns.map(({ name }) => name),
    added,
    removed,
    changed: null,
    unchanged,
    changedColumns: [],
    examples,
  };
}

async function numbers(session: Session, statement: Parameters<Session["all"]>[0]): Promise<number[]> {
  const [row = []] = await session.all(statement);
  return row.map(Number);
}

async function texts(session: Session, statement: Parameters<Session["all"]>[0]): Promise<string[]> {
  return (await session.all(statement)).map(([text]) => String(text));
}
