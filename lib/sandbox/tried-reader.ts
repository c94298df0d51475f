import { readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { BuildBench, BuildPlan } from "@/lib/builds/plan";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { columnTypeOfStorage } from "@/lib/engine/types/column-types";
import { parseStorageType } from "@/lib/engine/types/storage-type";
import type { ColumnFound } from "@/lib/readers/proposals/column-found";
import { inspectColumns } from "@/lib/readers/proposals/columns";
import { inspectJsonColumn } from "@/lib/readers/proposals/json-column";
import type { Reader } from "@/lib/schemas/recipe-reader";
import { type DecodedSource, decodeSource } from "./decode-source";

/** The result of a reader for the part of a source that was read. */
export interface TriedReader {
  columns: ColumnFound[];
  rows: number;
  /** Whether these are all rows of that part. */
  isAll: boolean;
}

export interface Trying {
  bench: BuildBench;
  plan: BuildPlan;
  path: string;
  reader: Reader;
  /** Whether the file is the complete source. Otherwise its last record may be cut off. */
  isWhole: boolean;
}

const COLUMNS_MAX = 2000;
const EXAMPLES = 3;
const LINES: readonly string[] = ["csv", "tsv", "ndjson"];

/** Reads a file as a run would, and inspects the resulting columns. Rejects as a run would fail. */
export async function tryReader({ bench, plan, path, reader, isWhole }: Trying): Promise<TriedReader> {
  const file = isWhole || !LINES.includes(reader.format) ? path : await withoutLastLine(path);
  const source = { name: "source", ordinal: 1, parts: [{ partition: null, file: relative(bench.folder, file) }] };
  const decoded = await decodeSource({ bench, plan: { ...plan, mode: "sample" }, source, reader, archive: undefined });
  const columns =
    decoded.form === "parquet" ? await parquetColumns(bench, decoded) : await cellColumns(bench, decoded, reader);
  return { columns, rows: decoded.rowsOf ?? decoded.rows, isAll: decoded.rowsOf !== null };
}

/** A line feed byte ends a line in every encoding of recipes except UTF-16, where a zero byte follows it. */
async function withoutLastLine(path: string): Promise<string> {
  const bytes = await readFile(path);
  const at = bytes.lastIndexOf(0x0a);
  const target = `${path}-lines`;
  await writeFile(target, at < 0 ? bytes : bytes.subarray(0, at + (bytes[at + 1] === 0 ? 2 : 1)));
  return target;
}

async function cellColumns(
  bench: BuildBench,
  { files, columns, form }: DecodedSource,
  reader: Reader,
): Promise<ColumnFound[]> {
  const rows = cellRows(await readFile(join(bench.folder, files[0] ?? ""), "utf8"));
  const shown = columns.slice(0, COLUMNS_MAX);
  const cellsOf = (at: number) => rows.map((cells) => cells[at + 2] ?? null);
  const around = {
    delimiter: "delimiter" in reader.options ? reader.options.delimiter : undefined,
    rowOf: (at: number) => Number(rows[at]?.[0]),
  };
  return form === "json"
    ? shown.map((column, at) => inspectJsonColumn(column, cellsOf(at), around))
    : inspectColumns(
        shown.map(({ name }, at) => ({ name, cells: cellsOf(at) })),
        around,
      );
}

/** The records of the form that `StagedSource` describes; null for a bare empty cell. */
function cellRows(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  for (let at = 0; at < text.length; ) {
    const isQuoted = text[at] === '"';
    const end = isQuoted ? closingQuote(text, at + 1) : plainEnd(text, at);
    const cell = isQuoted ? text.slice(at + 1, end).replaceAll('""', '"') : text.slice(at, end) || null;
    row.push(cell);
    const next = isQuoted ? end + 1 : end;
    at = next + 1;
    if (text[next] === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at < 0 ? text.length : at;
}

function plainEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "," && text[at] !== "\n") at += 1;
  return at;
}

async function parquetColumns(bench: BuildBench, { files }: DecodedSource): Promise<ColumnFound[]> {
  const relation = `read_parquet(${quoteLiteral(join(bench.folder, files[0] ?? ""))})`;
  const described = await bench.rows(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${relation})`);
  const first = await bench.rows(`SELECT COLUMNS(*)::VARCHAR FROM ${relation} LIMIT ${EXAMPLES}`);
  return described.slice(0, COLUMNS_MAX).map(([name, storage], at) => {
    const examples = first.flatMap((row) => (row[at] == null ? [] : [row[at].slice(0, 80)]));
    const parsed = parseStorageType(storage ?? "");
    const type = (parsed && columnTypeOfStorage(parsed)?.name) ?? "json";
    const why = "the file's own schema";
    return { name: name ?? "", type, why, isText: false, tokens: [], nulls: 0, distinct: 0, examples, warnings: [] };
  });
}
