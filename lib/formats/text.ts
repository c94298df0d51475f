import { isLosslessNumber } from "lossless-json";
import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import { csvLine } from "./csv-line";
import { jsonOf } from "./exact-values";
import { type PageRows, rowsOf, type Value } from "./page-rows";

/**
 * One JSON object per line: the reply's own rows, which are separated by a comma and a line feed and contain no other
 * line feed.
 */
export function toNdjson(page: PageRows): Buffer {
  const rows = Buffer.concat(page.rowParts).toString("utf8");
  return Buffer.from(rows === "" ? "" : `${rows.replaceAll(",\n", "\n")}\n`);
}

/** RFC 4180 with a header line. Null is an empty cell, the empty string `""`; lists and structs are JSON. */
export const toCsv = (page: PageRows): Buffer => Buffer.concat([csvHeader(page.columns), csvLines(page)]);

/** The names of columns as CSV's first line. */
export const csvHeader = (columns: readonly { name: string }[]): Buffer =>
  Buffer.from(csvLine(columns.map(({ name }) => name)));

/** Rows as lines of CSV. */
export function csvLines(page: Pick<PageRows, "rowParts"> & { columns: readonly EngineColumn[] }): Buffer {
  const columns = page.columns.map(({ name, type }) => ({ name, isJson: columnTypeOf({ type }).json.kind === "any" }));
  const lines = rowsOf(page).map((row) => csvLine(columns.map(({ name, isJson }) => cell(row[name] ?? null, isJson))));
  return Buffer.from(lines.join(""));
}

function cell(value: Value, isJson: boolean): string | null {
  if (value === null) return null;
  if (isLosslessNumber(value)) return value.value;
  return typeof value === "object" || isJson ? jsonOf(value) : String(value);
}
