import type { Bench } from "@/lib/readers/bench";
import type { SourceFile } from "@/lib/readers/containers/source-file";
import { readParquet } from "@/lib/readers/parquet/parquet-reading";
import type { StoredColumn } from "@/lib/schemas/column";
import type { ColumnNote } from "@/lib/schemas/publish";
import { delimiterOf, readCsv } from "./csv-reading";
import { withDecidedPoints } from "./decided-points";
import { readJson } from "./json-reading";
import { refuseOtherFormat } from "./other-format";
import { noteOf, type Reading } from "./reading";
import type { Expected } from "./text-reading";

/**
 * Plans how a file of any format is read. A text column without a declared type keeps its type in `kept` if every cell
 * fits it.
 */
export async function planReading(
  bench: Bench,
  source: SourceFile,
  notes: readonly ColumnNote[],
  { orderBy, kept = [] }: { orderBy: readonly string[]; kept?: readonly StoredColumn[] },
): Promise<Reading> {
  const types = new Map(kept.map(({ name, type }) => [name, type]));
  await refuseOtherFormat(source);
  switch (source.format) {
    case "csv":
    case "tsv":
      return await readDecided(bench, source.path, source.format, { notes, orderBy, types });
    case "json":
    case "ndjson":
      return await readJson(bench, source, { notes, orderBy, types });
    case "parquet":
      return await readParquet(bench, source.path, notes, orderBy);
  }
}

async function readDecided(bench: Bench, path: string, format: "csv" | "tsv", expected: Expected): Promise<Reading> {
  const { notes, types } = expected;
  return await withDecidedPoints(bench, await readCsv(bench, path, format, expected), {
    delimiter: () => delimiterOf(path, format),
    isGiven: (name) => noteOf(notes, name)?.type !== undefined || types.has(name),
  });
}
