import type { Bench } from "@/lib/readers/bench";
import type { SourceFile } from "@/lib/readers/containers/source-file";
import { readParquet } from "@/lib/readers/parquet/parquet-reading";
import type { StoredColumn } from "@/lib/schemas/column";
import type { ColumnNote } from "@/lib/schemas/publish";
import { readCsv } from "./csv-reading";
import { readJson } from "./json-reading";
import { refuseOtherFormat } from "./other-format";
import type { Reading } from "./reading";

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
      return await readCsv(bench, source.path, source.format, { notes, orderBy, types });
    case "json":
    case "ndjson":
      return await readJson(bench, source, { notes, orderBy, types });
    case "parquet":
      return await readParquet(bench, source.path, notes, orderBy);
  }
}
