import { END_MARK } from "@/lib/readers/layout";
import { cellKind, isTyped } from "./cell-kind";
import type { ColumnFound } from "./column-found";
import { inspectColumns } from "./columns";
import { isBlank } from "./dialect";
import { findLayout, footerOf, isYear, type LayoutFound } from "./find-layout";

/** What the records of a CSV file or a sheet look like as a table. */
export interface RecordsInspection {
  /** Records as in the file, numbered from 1; those at the end have negative numbers, counted from the end. */
  raw: { n: number; cells: string[] }[];
  columns: ColumnFound[];
  /** Rows in the part that was read. */
  rows: number;
  warnings: string[];
}

const RAW_HEAD = 12;
const RAW_TAIL = 5;
const CELLS_SHOWN = 50;
const CELL_SHOWN = 200;
/** A footnote mark at the end of a name. */
const MARK = / ?[¹²³⁴⁵⁶⁷⁸⁹]\)?$/;

/**
 * Inspects records: header, footer, columns. `isWhole` if the last record is the file's last; otherwise `last` are the
 * records at its end, if they were read. `layoutOptions` are the reader's options that differ from its defaults.
 */
export function inspectRecords(
  records: readonly string[][],
  isWhole: boolean,
  last: readonly string[][] | undefined,
  isSheet = false,
  delimiter?: string,
): RecordsInspection & { layoutOptions: Record<string, unknown> } {
  const isMarked = isWhole && records.at(-1)?.join() === END_MARK;
  const layout = findLayout(isMarked ? records.slice(0, -1) : records, isWhole);
  const ending = isWhole || !last ? layout : { ...layout, ...footerOf(last, 0, layout.kinds), isFooterApart: false };
  const data = records.slice(layout.firstRow - 1, records.length - layout.footer - (isMarked ? 1 : 0));
  const names = headerNames(records, layout);
  const rows = data.flatMap((cells, at) =>
    layout.columns === 1 || !isBlank(cells) ? [{ cells, row: layout.firstRow + at }] : [],
  );
  const columns = inspectColumns(
    numbered(names).map((name, column) => ({ name, cells: rows.map(({ cells }) => cells[column] || null) })),
    { delimiter, rowOf: (at) => rows[at]?.row ?? 0 },
  );
  return {
    raw: rawOf(records, isWhole ? undefined : last),
    columns,
    rows: data.length,
    layoutOptions: layoutOptions({ layout: ending, names, data }, isSheet),
    warnings: [...layoutWarnings(layout, records, data), ...columnWarnings(columns)],
  };
}

/** What was decided about the header, if the rows do not decide it themselves. */
function layoutWarnings(
  { header, firstRow, kinds }: LayoutFound,
  records: readonly string[][],
  data: readonly string[][],
): string[] {
  if (header === "none" && data.length > 0) {
    const first = records[firstRow - 1]?.slice(0, CELLS_SHOWN).join(" | ") ?? "";
    const shown = first.slice(0, CELL_SHOWN);
    return [`No header was found, so the columns are numbered and row ${firstRow} is data: ${shown}`];
  }
  const last = header === "none" ? 0 : (header.at(-1) ?? 0);
  return isLikeData(records[last - 1] ?? [], kinds)
    ? [`Row ${last} is read as the header, although some of its cells are like the data.`]
    : [];
}

const isLikeData = (cells: readonly string[], kinds: LayoutFound["kinds"]): boolean =>
  cells.some((cell, at) => isTyped(cell) && cellKind(cell) === kinds[at] && !isYear(cell));

/** The names from the header's rows; empty for a column without one. */
function headerNames(records: readonly string[][], { header, columns, isMerged }: LayoutFound): string[] {
  const rows = header === "none" ? [] : header.map((number) => records[number - 1] ?? []);
  const filled = rows.map((cells, at) => (isMerged && at < rows.length - 1 ? filledRight(cells, columns) : cells));
  return Array.from({ length: columns }, (_, at) => {
    const words = filled.map((cells) => cells[at]?.trim() ?? "").filter((word) => word !== "");
    return words.join(" ");
  });
}

function filledRight(cells: readonly string[], columns: number): string[] {
  let last = "";
  return Array.from({ length: columns }, (_, at) => {
    if ((cells[at] ?? "").trim() !== "") last = cells[at] ?? "";
    return last;
  });
}

interface Table {
  layout: LayoutFound;
  names: readonly string[];
  data: readonly string[][];
}

/** Only what differs from the reader's defaults. */
function layoutOptions({ layout, names, data }: Table, isSheet: boolean): Record<string, unknown> {
  const { header, firstRow, isMerged, columns } = layout;
  const keepsBlank = columns === 1 && data.some(isBlank);
  const last = header === "none" ? 0 : (header.at(-1) ?? 0);
  const isUsual = header !== "none" && header.length === 1 && header[0] === 1;
  const isMarked = names.some((name) => MARK.test(name));
  const rows = { rows: header, ...(isMerged && { fill: "right" }), ...(isMarked && { drop_text: MARK.source }) };
  return {
    ...(header === "none" ? { header, columns: numbered(names) } : (!isUsual || isMarked) && { header: rows }),
    ...(header !== "none" && nameOptions(names, data)),
    ...(firstRow > last + 1 && { first_row: firstRow }),
    ...footerOption(layout, keepsBlank),
    ...(keepsBlank && { skip_blank_rows: false }),
    ...(!isSheet && raggedOption(data, layout.columns)),
  };
}

function footerOption(
  { footer, footerRows, isFooterApart }: LayoutFound,
  keepsBlank: boolean,
): Record<string, unknown> {
  if (footer === 0) return {};
  return isFooterApart ? { stop_at: { blank_row: true } } : { skip_footer: keepsBlank ? footer : footerRows };
}

function nameOptions(names: readonly string[], data: readonly string[][]): Record<string, unknown> {
  const blank = names.flatMap((name, at) => (name === "" ? [at] : []));
  const isEmpty = blank.every((at) => data.every((cells) => (cells[at] ?? "").trim() === ""));
  const headers = names.filter((name) => name !== "").map((name) => name.toLowerCase());
  return {
    ...(blank.length > 0 && { blank_names: isEmpty ? "drop_empty" : "number" }),
    ...(new Set(headers).size < headers.length && { duplicate_names: "number" }),
  };
}

function raggedOption(data: readonly string[][], columns: number): Record<string, unknown> {
  const filled = data.filter((cells) => !isBlank(cells));
  const isShort = filled.some((cells) => cells.length < columns);
  const isLong = filled.some((cells) => cells.length > columns);
  if (!isShort && !isLong) return {};
  return { ragged: isShort && isLong ? "pad_and_cut" : isShort ? "pad" : "cut" };
}

const numbered = (names: readonly string[]): string[] => names.map((name, at) => name || `column_${at + 1}`);

/** What a person must choose or should know before comparing values. */
export function columnWarnings(columns: readonly ColumnFound[]): string[] {
  const all = columns.flatMap((column) => [column, ...(column.members ?? []).map((member) => member.column)]);
  return [...all.flatMap(ownWarnings), ...tokenWarnings(all)];
}

const ownWarnings = ({ name, warnings, spellings = [] }: ColumnFound): string[] => [
  ...warnings,
  ...spellings.map(
    (same) =>
      `${JSON.stringify(name)}: ${same.map((each) => JSON.stringify(each)).join(", ")} are probably spellings of ` +
      "one value. The step map can unify them.",
  ),
];

/** One for each text that is read as null, with every column and count. */
function tokenWarnings(columns: readonly ColumnFound[]): string[] {
  const locations = new Map<string, string[]>();
  for (const { name, tokens } of columns)
    for (const { token, cells, row } of tokens) {
      const location = `${JSON.stringify(name)} ${cells} (first in row ${row})`;
      locations.set(token, [...(locations.get(token) ?? []), location]);
    }
  return [...locations].map(([token, named]) => {
    const what = token === "" ? "Empty and blank cells" : `Cells ${JSON.stringify(token)}`;
    return `${what} become null: ${named.join(", ")}.`;
  });
}

function rawOf(records: readonly string[][], last: readonly string[][] | undefined) {
  const tail = Math.max(RAW_HEAD, records.length - RAW_TAIL);
  const shown = records.flatMap((cells, at) =>
    at < RAW_HEAD || (at >= tail && !last) ? [{ n: at + 1, cells: cellsShown(cells) }] : [],
  );
  const ending = last?.slice(-RAW_TAIL) ?? [];
  return [...shown, ...ending.map((cells, at) => ({ n: at - ending.length, cells: cellsShown(cells) }))];
}

const cellsShown = (cells: readonly string[]): string[] =>
  cells.slice(0, CELLS_SHOWN).map((cell) => cell.slice(0, CELL_SHOWN));
