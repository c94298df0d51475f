import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { columnTypeOfStorage, parseColumnType } from "@/lib/engine/types/column-types";
import { isJsonSql } from "@/lib/engine/types/json-text";
import { parseStorageType, type StorageType } from "@/lib/engine/types/storage-type";
import { type Bench, onlyRow } from "@/lib/readers/bench";
import { mismatch } from "@/lib/readers/failure";
import { checkNames, checkNotes } from "@/lib/readers/typed/column-names";
import { type ColumnPlan, noteOf, type Reading } from "@/lib/readers/typed/reading";
import type { ColumnNote } from "@/lib/schemas/publish";

/** Plans the reading of a Parquet file: its own types, exactly, or an error that says what to write instead. */
export async function readParquet(
  bench: Bench,
  path: string,
  notes: readonly ColumnNote[],
  orderBy: readonly string[],
): Promise<Reading> {
  const relation = `read_parquet(${quoteLiteral(path)})`;
  const described = await describeParquet(bench, relation);
  const names = await topLevelNames(bench, path);
  checkNames(names);
  checkNotes(notes, orderBy, names);
  const columns = described.map(([readName = "", storage = ""], index) =>
    planOf(names[index] ?? "", quoteIdentifier(readName ?? ""), storage ?? "", noteOf(notes, names[index] ?? "")),
  );
  const [rows] = await onlyRow(
    bench,
    `SELECT sum(num_rows)::VARCHAR FROM parquet_file_metadata(${quoteLiteral(path)})`,
  );
  return { relation, columns, rows: Number(rows ?? 0) };
}

async function describeParquet(bench: Bench, relation: string) {
  try {
    return await bench.rows(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${relation})`);
  } catch (error) {
    throw mismatch(`Cannot read the file as Parquet: ${firstLine(error)} Write it again without encryption.`);
  }
}

/** DuckDB renames columns that clash; the file's own names are in its schema. */
async function topLevelNames(bench: Bench, path: string): Promise<string[]> {
  const schema = await bench.rows(
    `SELECT name, coalesce(num_children, 0)::VARCHAR FROM parquet_schema(${quoteLiteral(path)})`,
  );
  const names: string[] = [];
  for (let at = 1; at < schema.length; at = afterSubtree(schema, at)) names.push(schema[at]?.[0] ?? "");
  return names;
}

function afterSubtree(schema: readonly (readonly (string | null)[])[], at: number): number {
  let next = at + 1;
  for (let left = Number(schema[at]?.[1] ?? 0); left > 0; left -= 1) next = afterSubtree(schema, next);
  return next;
}

/** A source type that is read as another type: how, and which values that type can hold exactly. */
interface Mapping {
  storage: string;
  value: string;
  fits: string;
}

function planOf(name: string, ref: string, source: string, note: ColumnNote | undefined): ColumnPlan {
  const mapped = mapType(name, ref, source);
  const ownType = typeOf(name, mapped.storage);
  const shown = `${ref}::VARCHAR`;
  const finite = finiteTest(mapped);
  if (note?.type === undefined || note.type === ownType)
    return { name, type: ownType, value: mapped.value, fits: finite === "true" ? undefined : () => finite, shown };
  const type = parseColumnType(note.type);
  const target = type?.source.staged ?? type?.duckdb;
  if (!type || !target)
    throw mismatch(`Column ${JSON.stringify(name)} has the type ${ownType} and cannot be declared ${note.type}.`);
  const cast = `TRY_CAST(${mapped.value} AS ${target})`;
  // a declared type must preserve every value in a round-trip cast
  const castable = type.source.castable ? `${type.source.castable(mapped.value)} AND ` : "";
  const keeps =
    `${castable}(${cast} IS NOT NULL OR ${ref} IS NULL) AND TRY_CAST(${cast} AS ${mapped.storage}) IS NOT DISTINCT ` +
    `FROM ${mapped.value} AND ${finite}`;
  return { name, type: note.type, value: cast, fits: () => `(${keeps})`, shown };
}

function mapType(name: string, ref: string, source: string): Mapping {
  if (source === "TIMESTAMP_NS" || source === "TIME_NS") return nanoseconds(ref, source);
  if (source === "TIME WITH TIME ZONE") return { storage: "TIME", value: `${ref}::TIME`, fits: "true" };
  if (source === "JSON")
    return { storage: source, value: ref, fits: `coalesce(${isJsonSql(`${ref}::VARCHAR`)}, true)` };
  if (/^MAP\(/.test(source)) return mapEntries(name, ref, source);
  const parsed = parseStorageType(source);
  const storage = parsed && targetOf(parsed);
  if (!storage) throw rejectType(name, source);
  return { storage, value: storage === source ? ref : `CAST(${ref} AS ${storage})`, fits: "true" };
}

/** Timestamps without a zone are UTC, at every depth; undefined for types that the service does not have. */
function targetOf(type: StorageType): string | undefined {
  if (type.kind === "list") {
    const item = targetOf(type.item);
    return item && `${item}[]`;
  }
  if (type.kind === "struct") {
    const fields = type.fields.map((field) => ({ name: field.name, storage: targetOf(field.type) }));
    return fields.every((field) => field.storage)
      ? `STRUCT(${fields.map((field) => `${quoteIdentifier(field.name)} ${field.storage}`).join(", ")})`
      : undefined;
  }
  if (type.name === "TIMESTAMP") return "TIMESTAMP WITH TIME ZONE";
  return type.name !== "TIMESTAMP_NS" && columnTypeOfStorage(type) ? type.name : undefined;
}

function nanoseconds(ref: string, source: string): Mapping {
  const storage = source === "TIME_NS" ? "TIME" : "TIMESTAMP WITH TIME ZONE";
  const value = source === "TIME_NS" ? `${ref}::TIME` : `${ref}::TIMESTAMP::TIMESTAMPTZ`;
  const back = source === "TIME_NS" ? `${ref}::TIME::TIME_NS` : `${ref}::TIMESTAMP::TIMESTAMP_NS`;
  return { storage, value, fits: `${back} IS NOT DISTINCT FROM ${ref}` };
}

function mapEntries(name: string, ref: string, source: string): Mapping {
  const types = source.slice("MAP(".length, -1);
  const members = types.replace(/^("(?:[^"]|"")*"|\w+(?:\([^)]*\))?), /, '"key" $1, "value" ');
  const entries = parseStorageType(`STRUCT(${members})[]`);
  const storage = entries && targetOf(entries);
  if (!storage) throw rejectType(name, source);
  return { storage, value: `CAST(map_entries(${ref}) AS ${storage})`, fits: "true" };
}

/** Dates and instants must be in the years 0001 to 9999, which every client can represent. */
function finiteTest({ storage, value, fits }: Mapping): string {
  const parsed = parseStorageType(storage);
  const bounds = parsed && columnTypeOfStorage(parsed)?.source.range;
  return bounds ? `(${fits} AND coalesce(${value} BETWEEN ${bounds[0]} AND ${bounds[1]}, true))` : fits;
}

function typeOf(name: string, storage: string): string {
  const parsed = parseStorageType(storage);
  const type = parsed && columnTypeOfStorage(parsed);
  if (!type) throw rejectType(name, storage);
  return type.name;
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/INTERVAL/, "Write it as a number with a unit, or as text"],
  [/HUGEINT/, "Write it as decimal(38,0)"],
  [/_NS/, "Write it with microseconds"],
  [/GEOMETRY/, "Write it as WKT text or WKB binary"],
];

function rejectType(name: string, source: string): Error {
  const advice = ADVICE.find(([pattern]) => pattern.test(source))?.[1] ?? "Write it as one of the service's types";
  return mismatch(`Column ${JSON.stringify(name)} has the type ${source}, which is not supported. ${advice}.`);
}

/** The first line of DuckDB's message, without paths of this machine. */
function firstLine(error: unknown): string {
  const line = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  const text = line.replaceAll(/\/\S*\//g, "");
  return text.endsWith(".") ? text : `${text}.`;
}
