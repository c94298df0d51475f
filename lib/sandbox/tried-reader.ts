import { rm } from "node:fs/promises";
import { join, relative } from "node:path";
import type { BuildBench, BuildPlan } from "@/lib/builds/plan";
import { jsonTypes } from "@/lib/builds/stage";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { columnTypeOfStorage } from "@/lib/engine/types/column-types";
import { parseStorageType } from "@/lib/engine/types/storage-type";
import { ReadFailure } from "@/lib/readers/failure";
import { leftOutInText } from "@/lib/readers/left-out";
import type { ColumnFound } from "@/lib/readers/proposals/column-found";
import { inspectColumns } from "@/lib/readers/proposals/columns";
import { inspectJsonColumn } from "@/lib/readers/proposals/json-column";
import { CELL_NUMBERS, cellsLayout, csvRelation } from "@/lib/readers/typed/csv-reading";
import { READER_OPTIONS, type Reader } from "@/lib/schemas/recipe-reader";
import { decodeSource } from "./decode-source";
import type { DecodedSource } from "./events";

/** The result of a reader for the part of a source that was read. */
export interface TriedReader {
  /** The reader as it was given, with the options that the file turned out to need. */
  reader: Reader;
  /** Those options. */
  fixes: Record<string, unknown>;
  columns: ColumnFound[];
  rows: number;
  /** Whether these are all rows of that part. */
  isAll: boolean;
  warnings: string[];
  decoded: DecodedSource;
}

export interface Trying {
  bench: BuildBench;
  plan: BuildPlan;
  path: string;
  reader: Reader;
  /** Whether the file is the complete source. Otherwise its last record may be cut off. */
  isWhole: boolean;
  /** Whether options may be added that the file needs further down than it was looked at. */
  mayFix: boolean;
}

/** Name of the source, and of its table, while a reader is tried. */
export const TRIED = "source";
const EXAMPLES = 3;
/** Formats of which the beginning can be read alone. */
const CUT: readonly string[] = ["csv", "tsv", "json", "ndjson"];
/** Cells that are inspected. Of larger files the first rows are; all rows are built in the end. */
const CELLS_MAX = 2_000_000;

/** Reads a file as a run would, and inspects the resulting columns. Rejects as a run would fail. */
export async function tryReader(trying: Trying): Promise<TriedReader> {
  const { bench } = trying;
  const { decoded, reader, fixes } = await decodeWithFixes(trying);
  const columns =
    decoded.form === "parquet" ? await parquetColumns(bench, decoded) : await cellColumns(bench, decoded, reader);
  const warnings = [...fixWarnings(fixes), ...leftOutInText(decoded.leftOut)];
  const isAll = decoded.rowsOf !== null;
  return {
    reader,
    fixes,
    columns,
    rows: decoded.rowsOf ?? decoded.rows,
    isAll,
    warnings,
    decoded,
  };
}

/** A failure further down than the proposal looked may name an option that counts it instead. */
async function decodeWithFixes(trying: Trying) {
  const { bench, plan, path, isWhole, mayFix } = trying;
  const isCut = !isWhole && CUT.includes(trying.reader.format);
  const part = { partition: null, file: relative(bench.folder, path), ...(isCut && { isCut: true as const }) };
  const source = { name: TRIED, ordinal: 1, parts: [part] };
  let fixes: Record<string, unknown> = {};
  for (;;) {
    const reader = { ...trying.reader, options: { ...trying.reader.options, ...fixes } } as Reader;
    const work = { bench, plan: { ...plan, mode: "sample" as const }, source, reader, archive: undefined };
    try {
      return { decoded: await decodeSource(work), reader, fixes };
    } catch (error) {
      const fix = error instanceof ReadFailure && mayFix ? error.fix : undefined;
      const isNew = Object.entries(fix ?? {}).some(([name, value]) => fixes[name] !== value);
      if (!fix || !isNew) throw error;
      fixes = { ...fixes, ...fix };
      await rm(join(bench.folder, "cells", `${source.ordinal}.csv`), { force: true });
    }
  }
}

const FIX_WORDS: Readonly<Record<string, string>> = {
  line_ends: "Lines end in different ways.",
  bad_quotes: "Some quotes quote nothing. They are read as text.",
};

const fixWarnings = (fixes: Record<string, unknown>): string[] =>
  Object.keys(fixes).flatMap((name) => FIX_WORDS[name] ?? []);

/** All columns together, since one may tell what the marks in another mean. */
async function cellColumns(bench: BuildBench, decoded: DecodedSource, reader: Reader): Promise<ColumnFound[]> {
  const { files, columns, form, longestBytes } = decoded;
  if (columns.length === 0) return [];
  const path = join(bench.folder, files[0] ?? "");
  const relation = csvRelation(cellsLayout(path, columns.length, longestBytes, form === "json"));
  const cells = columns.map((_, at) => `t${at + CELL_NUMBERS}`).join(", ");
  const most = Math.ceil(CELLS_MAX / columns.length);
  const records = await bench.rows(`SELECT ${cells}, t0 FROM ${relation} LIMIT ${most}`);
  const cellsOf = (at: number) => records.map((record) => record[at] ?? null);
  const around = {
    delimiter: "delimiter" in reader.options ? reader.options.delimiter : undefined,
    rowOf: (at: number) => Number(records[at]?.[columns.length]),
  };
  if (form !== "json")
    return inspectColumns(
      columns.map(({ name }, at) => ({ name, cells: cellsOf(at) })),
      around,
    );
  const types = await jsonTypes(bench, decoded);
  return columns.map((column, at) => inspectJsonColumn(column, cellsOf(at), around, types[at]));
}

async function parquetColumns(bench: BuildBench, { files }: DecodedSource): Promise<ColumnFound[]> {
  const relation = `read_parquet(${quoteLiteral(join(bench.folder, files[0] ?? ""))})`;
  const described = await bench.rows(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${relation})`);
  const first = await bench.rows(`SELECT COLUMNS(*)::VARCHAR FROM ${relation} LIMIT ${EXAMPLES}`);
  return described.map(([name, storage], at) => {
    const examples = first.flatMap((row) => (row[at] == null ? [] : [row[at].slice(0, 80)]));
    const parsed = parseStorageType(storage ?? "");
    const type = (parsed && columnTypeOfStorage(parsed)?.name) ?? "json";
    const why = "the file's own schema";
    return { name: name ?? "", type, why, isText: false, tokens: [], nulls: 0, distinct: 0, examples, warnings: [] };
  });
}

/** A reader with every default of its options filled in. */
export const completeReader = ({ format, options }: { format: Reader["format"]; options: unknown }): Reader =>
  ({ format, options: READER_OPTIONS[format].parse(options) }) as Reader;
