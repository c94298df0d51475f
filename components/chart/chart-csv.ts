import { valueAsText } from "@/components/explorer/view/filter-values";
import type { ChartColumn, ChartRow } from "./chart-spec";

/** Histograms name their bins by both edges. */
const BIN_COLUMNS = ["from", "to", "rows", "outside"] as const;

/**
 * What a chart draws as CSV with all digits. After an empty line, each line about it is one quoted cell, so that
 * spreadsheets show the values as a table with its sources below.
 */
export function chartCsv(columns: readonly ChartColumn[], rows: readonly ChartRow[], about: readonly string[]): string {
  const isBins = rows.some((row) => "from" in row && "rows" in row);
  const names = isBins ? [...BIN_COLUMNS] : columns.map(({ name }) => name);
  const lines = [names.map(cell), ...rows.map((row) => names.map((name) => cell(textOf(row[name]))))];
  const notes = about.filter((text) => text !== "").map((text) => quoted(safe(text)));
  return `${[...lines.map((cells) => cells.join(",")), "", ...notes].join("\r\n")}\r\n`;
}

const textOf = (value: unknown): string => (value === null || value === undefined ? "" : valueAsText(value));

const cell = (text: string): string => (/[",\r\n]/.test(text) ? quoted(text) : text);
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A title may come from another person, and spreadsheets execute text that starts like a formula. */
const safe = (text: string): string => (/^[=@+-]/.test(text) ? `'${text}` : text);
