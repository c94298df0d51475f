import { columnTypeOf } from "@/lib/engine/types/column-types";
import { csvLine } from "@/lib/formats/csv-line";
import type { ResultColumn } from "./messages";

type Texts = readonly (string | null)[];

const NOT_FINITE: Readonly<Record<string, string>> = {
  nan: "NaN",
  "-nan": "NaN",
  inf: "Infinity",
  "-inf": "-Infinity",
};

/** A value as the service writes it in replies, from DuckDB's text. */
function valueText(text: string, column: ResultColumn): string {
  const { family, number } = columnTypeOf(column);
  if (number?.isFloat) return NOT_FINITE[text] ?? text;
  if (family !== "timestamp") return text;
  const [, day, time] = /^(\S+) (\d{2}:\d{2}:\d{2}(?:\.\d+)?)(?:\+00)?$/.exec(text) ?? [];
  return day === undefined ? text : `${day}T${time}Z`;
}

/** A row as JSON text, with every digit that the values have. */
export function rowJson(texts: Texts, columns: readonly ResultColumn[]): string {
  const members = columns.map((column, at) => {
    const raw = texts[at];
    if (raw === null || raw === undefined) return `${JSON.stringify(column.name)}:null`;
    const text = valueText(raw, column);
    const { kind } = columnTypeOf(column).json;
    const isBare = kind === "boolean" || (kind === "number" && /\d$/.test(text));
    return `${JSON.stringify(column.name)}:${isBare ? text : JSON.stringify(text)}`;
  });
  return `{${members.join(",")}}`;
}

/** A row as a line of CSV, in the form of the service's own pages but for lists and structs, which are DuckDB's text. */
export const rowCsv = (texts: Texts, columns: readonly ResultColumn[]): string =>
  csvLine(columns.map((column, at) => (texts[at] == null ? null : valueText(texts[at] ?? "", column))));
