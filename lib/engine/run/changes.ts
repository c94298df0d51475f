import type { Caller, Engine } from "@/lib/engine/duckdb/engine";
import { readParquets } from "@/lib/engine/duckdb/source";
import { FILE_TIMES, writeParquet } from "@/lib/engine/duckdb/write-parquet";
import { absentIn, CHANGE_COLUMNS, changeForm, changesSql, type SchemaChange } from "@/lib/engine/sql/changes-sql";
import type { Pair, SharedColumn } from "@/lib/engine/sql/compare-sql";
import { quoteIdentifier } from "@/lib/engine/sql/identifier";
import type { Source } from "@/lib/engine/sql/sql";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import { type ComparedVersion, sharedColumns, usableKey } from "./compare";
import { wholePlan } from "./iterate-rows";
import { readPage } from "./read-page";
import type { Rows } from "./read-rows";
import type { SealedVersion } from "./sealed-version";

/** The changes between two versions, in a file that pages are read from. */
export interface Changes {
  /** The file, to be read as a version. */
  file: SealedVersion;
  /** How many there are. */
  total: number;
  /** Rows are matched by these columns; without any, entire rows are counted. */
  key: readonly string[];
  schema: SchemaChange;
}

/**
 * Writes all changes from one version to another as a temporary Parquet file, in one statement with four times the time
 * limit of a query. It uses a slot like a query. Rows have the columns of `after`; those that `before` lacks, or has
 * with another type, are null there. Unlike a comparison, it is exact: the sign of a zero is a difference.
 */
export async function writeChanges(
  engine: Engine,
  before: ComparedVersion,
  after: ComparedVersion,
  { path, id }: { path: string; id: string },
  caller: Caller,
): Promise<Changes> {
  const shared = sharedColumns(before.columns, after.columns);
  const columns = pairedColumns(before.columns, after.columns, shared);
  const schema = schemaChange(before.columns, after.columns, shared);
  const absent = absentIn(columns, new Set(shared.map(({ name }) => name)));
  return await engine.run(
    (session) =>
      readParquets([before, after], async ([one, two]) => {
        const sources = { before: one as Source, after: two as Source };
        const names = (await usableKey(session, { ...sources, columns: shared, key: [] }, before, after)).map(
          ({ name }) => name,
        );
        const key = names.flatMap((name) => columns.find((column) => column.name === name) ?? []);
        const widened = { ...sources.before, ...(absent.length > 0 && { computed: absent }) };
        const pair: Pair = { before: widened, after: sources.after, columns, key, keepsZeros: true };
        const isSame = before.digest === after.digest && !schema;
        const sql = `${changesSql(pair, schema)}${isSame ? " LIMIT 0" : ""}`;
        const total = await writeParquet(engine, session, { sql, params: [] }, path, true);
        const { tableId, versionId, publishedAt } = after;
        const file: SealedVersion = {
          ...{ tableId, versionId, publishedAt, rows: total, columns: [...CHANGE_COLUMNS, ...after.columns] },
          ...{ digest: id, orderBy: [], copyPath: "" },
          withParquet: (read) => read(path),
        };
        return { file, total, key: names, schema };
      }),
    caller,
    engine.options.timeoutMs * FILE_TIMES,
  );
}

/** The newer version's columns; those that the older one lacks are after its last one there. */
function pairedColumns(
  before: readonly EngineColumn[],
  after: readonly EngineColumn[],
  shared: readonly SharedColumn[],
): SharedColumn[] {
  let absent = before.length;
  return after.map((column, at) => {
    const found = shared.find(({ name }) => name === column.name);
    return found ?? { ...column, before: absent++, after: at };
  });
}

function schemaChange(
  before: readonly EngineColumn[],
  after: readonly EngineColumn[],
  shared: readonly SharedColumn[],
): SchemaChange {
  const same = new Set(shared.map(({ name }) => name));
  const isSame = before.length === after.length && shared.every(({ before: at, after: to }) => at === to);
  if (isSame && shared.length === after.length) return undefined;
  const names = [...new Set([...after, ...before].map(({ name }) => name).filter((name) => !same.has(name)))];
  const heads = (columns: readonly EngineColumn[]) => columns.map(({ name, type }) => ({ name, type }));
  const columns = { since: heads(before), until: heads(after) };
  return { names, json: JSON.stringify({ op: "schema", key: null, row: null, changed: names, columns }) };
}

/** Reads the changes after a position as JSON, up to a number of them and of bytes. */
export async function readChanges(
  engine: Engine,
  { file, key, schema }: Changes,
  { after, limit, bytesMax }: { after: bigint | undefined; limit: number; bytesMax: number },
  caller: Caller,
): Promise<Rows> {
  const query = {
    ...{ plan: wholePlan(file), digest: Buffer.alloc(0), after, limit },
    ...{ offset: 0, int64AsText: false, total: false, form: changeForm(key, schema) },
  };
  const { rows } = await engine.run((session) => readPage(engine, session, file, query, () => bytesMax), caller);
  return rows;
}

/** The columns of a change as a table in typed formats: those of a row are members of `row`, and of `key` if it has one. */
export function changeColumns({ file, key }: Changes): EngineColumn[] {
  const [op, changed, ...columns] = file.columns;
  const ofKey = key.flatMap((name) => columns.find((column) => column.name === name) ?? []);
  const member = ({ name, type, storage }: EngineColumn) => `${quoteIdentifier(name)} ${memberStorage(type, storage)}`;
  const struct = (name: string, of: readonly EngineColumn[]) => ({
    ...{ name, type: "struct", storage: `STRUCT(${of.map(member).join(", ")})` },
  });
  return [
    ...(op ? [op] : []),
    ...(ofKey.length > 0 ? [struct("key", ofKey)] : []),
    struct("row", columns),
    ...(changed ? [changed] : []),
  ];
}

/** A member of a struct has its type from its storage alone, which for JSON may be that of text. */
const memberStorage = (type: string, storage: string): string =>
  /^(?:list<)*json>*$/.test(type) ? `JSON${"[]".repeat(type.split("<").length - 1)}` : storage;
