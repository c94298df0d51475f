import type { ColumnNote } from "@/lib/schemas/publish";
import { readCsv } from "./csv-reading";
import { readJson } from "./json-reading";
import { readParquet } from "./parquet-reading";
import type { Reading } from "./reading";
import type { SourceFile } from "./source-file";
import type { Workbench } from "./workbench";

/** Plans how a file of any format is read. */
export function planReading(
  bench: Workbench,
  source: SourceFile,
  notes: readonly ColumnNote[],
  orderBy: readonly string[],
): Promise<Reading> {
  switch (source.format) {
    case "csv":
    case "tsv":
      return readCsv(bench, source.path, source.format, notes, orderBy);
    case "json":
    case "ndjson":
      return readJson(bench, source.path, notes, orderBy);
    case "parquet":
      return readParquet(bench, source.path, notes, orderBy);
  }
}
