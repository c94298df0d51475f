import { rm } from "node:fs/promises";
import { join, relative } from "node:path";
import type { BuildBench, BuildPlan } from "@/lib/builds/plan";
import { jsonTypes } from "@/lib/builds/stage";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { columnTypeOfStorage } from "@/lib/engine/types/column-types";
import { parseStorageType } from "@/lib/engine/types/storage-type";
import { ReadFailure } from "@/lib/readers/failure";
import { leftOutInWords } from "@/lib/readers/left-out";
import { type ColumnFound, inspectColumn } from "@/lib/readers/proposals/columns";
import { inspectJsonColumn } from "@/lib/readers/proposals/json-column";
import { CELL_NUMBERS, cellsLayout, csvRelation } from "@/lib/readers/typed/csv-reading";
import { READER_OPTIONS, type Reader } from "@/lib/schemas/recipe-reader";
import { type DecodedSource, decodeSource } from "./decode-source";

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
/** Cells that are held at a time while columns are inspected. */
const CELLS_AT_ONCE = 1_000_000;

/** Reads a file as a run would, and inspects the resulting columns. Rejects as a run would fail. */
export async function tryReader(trying: Trying): Promise<TriedReader> {
  const { bench } = trying;
  const { decoded, reader, fixes } = await decodeWithFixes(trying);
  const columns = decoded.form === "parquet" ? await parquetColumns(bench, decoded) : await cellColumns(bench, decoded);
  const warnings = [...fixWarnings(fixes), ...leftOutInWords(decoded.leftOut)];
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

/** Column by column, so that memory does not grow with the file. */
async function cellColumns(bench: BuildBench, decoded: DecodedSource): Promise<ColumnFound[]> {
  const { files, columns, rows, form, longestBytes } = decoded;
  const path = join(bench.folder, files[0] ?? "");
  const layout = cellsLayout(path, columns.length, longestBytes, form === "json");
  await bench.run(`CREATE OR REPLACE TABLE tried AS SELECT * FROM ${csvRelation(layout)}`);
  const atOnce = Math.max(1, Math.floor(CELLS_AT_ONCE / Math.max(rows, 1)));
  const types = form === "json" ? await jsonTypes(bench, decoded) : [];
  const found: ColumnFound[] = [];
  for (let from = 0; from < columns.length; from += atOnce) {
    const batch = columns.slice(from, from + atOnce);
    const cells = batch.map((_, at) => `t${from + at + CELL_NUMBERS}`).join(", ");
    const records = await bench.rows(`SELECT ${cells} FROM tried`);
    for (const [at, column] of batch.entries()) {
      const values = records.map((record) => record[at] ?? "");
      found.push(
        form === "json" ? inspectJsonColumn(column, values, types[from + at]) : inspectColumn(column.name, values),
      );
    }
  }
  await bench.run("DROP TABLE tried");
  return found;
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
    return { name: name ?? "", type, why, isText: false, others: 0, nulls: 0, nullTokens: [], distinct: 0, examples };
  });
}

/** A reader with every default of its options filled in. */
export const completeReader = ({ format, options }: { format: Reader["format"]; options: unknown }): Reader =>
  ({ format, options: READER_OPTIONS[format].parse(options) }) as Reader;
