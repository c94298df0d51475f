import type { ReaderFormat } from "@/lib/schemas/recipe-reader";

/**
 * Options of each format, in several examples if they exclude each other. Rows are counted from 1 in the original file.
 */
export const READER_EXAMPLES: Readonly<Record<ReaderFormat, readonly Readonly<Record<string, unknown>>[]>> = {
  csv: [
    {
      encoding: "windows-1252",
      delimiter: ";",
      header: { rows: [4, 5], fill: "right" },
      first_row: 6,
      stop_at: { column: 1, matches: "^Source" },
      null_tokens: ["", "-"],
    },
  ],
  tsv: [{ header: "none", columns: ["gauge", "day", "level"], stop_at: { blank_row: true } }],
  json: [
    { records: "/results", fields: { id: "/id", lat: "/place/lat" } },
    { records: "/rates", shape: "map", key_column: "currency" },
    { records: "/data", shape: "rows", names: "/columns" },
    { records: "/results", flatten: { depth: 2, join: "." } },
  ],
  ndjson: [{ fields: { id: "/id", lat: "/place/lat" }, bad_lines: "skip" }],
  parquet: [{ columns: ["gauge", "level"] }],
  xlsx: [{ sheet: "Data", range: "B4:K900", header: { rows: [4] }, skip_footer: 2 }],
};
