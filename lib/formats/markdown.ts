import { isLosslessNumber } from "lossless-json";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { jsonOf } from "./exact-values";
import { type PageRows, rowsOf, type Value } from "./page-rows";

/**
 * A GitHub Markdown table: numbers are right-aligned, and null is an empty cell. Everything that Markdown would
 * interpret is escaped, so that a reader sees the cell's text; a line break is a `<br>`.
 */
export function toMarkdown(page: PageRows): Buffer {
  const columns = page.columns.map((column) => ({ name: column.name, type: columnTypeOf(column) }));
  const lines = [
    lineOf(columns.map(({ name }) => escaped(name))),
    lineOf(columns.map(({ type }) => (type.family === "numeric" ? "---:" : "---"))),
    ...rowsOf(page).map((row) =>
      lineOf(columns.map(({ name, type }) => cellOf(row[name] ?? null, type.json.kind === "any"))),
    ),
  ];
  return Buffer.from(`${lines.join("\n")}\n`);
}

const lineOf = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

function cellOf(value: Value, isJson: boolean): string {
  if (value === null) return "";
  if (isLosslessNumber(value)) return value.value;
  return escaped(typeof value === "object" || isJson ? jsonOf(value) : String(value));
}

/** Escapes characters with a meaning in Markdown, and the bar that ends a cell. */
const escaped = (text: string): string =>
  text
    .replace(/[\\`*_[\]<>&|~$]/g, (mark) =>
      mark === "<" ? "&lt;" : mark === ">" ? "&gt;" : mark === "&" ? "&amp;" : `\\${mark}`,
    )
    .replace(/\r\n|[\r\n]/g, "<br>");
