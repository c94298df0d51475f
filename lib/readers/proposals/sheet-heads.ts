import { formatPlural } from "@/lib/kernel/format";
import { ReadFailure } from "@/lib/readers/failure";
import { type OpenWorkbook, readSheet, withWorkbook } from "@/lib/readers/xlsx/read-xlsx";
import { columnName } from "@/lib/readers/xlsx/references";
import type { XlsxOptions } from "@/lib/schemas/recipe-reader";
import { READER_OPTIONS } from "@/lib/schemas/recipe-reader";
import { inspectRecords, type RecordsInspection } from "./inspect-records";

export interface SheetFound {
  name: string;
  isHidden: boolean;
  /** Number of rows that were inspected. */
  rows: number;
  columns: number;
}

export interface SheetsFound {
  sheets: SheetFound[];
  /** The inspection of the sheet with the most cells. */
  best: (RecordsInspection & { options: Record<string, unknown> }) | undefined;
  warnings: string[];
}

const SHEETS_MAX = 20;
const ROWS_MAX = 2000;
const HIDDEN_SHOWN = 10;

/** Inspects the first rows of a workbook's visible sheets. */
export const lookAtSheets = (path: string, unpackedBytes: number): Promise<SheetsFound> =>
  withWorkbook(path, unpackedBytes, lookAt);

async function lookAt(open: OpenWorkbook): Promise<SheetsFound> {
  const all = open.workbook.sheets;
  const visible = all.filter(({ isHidden }) => !isHidden);
  const warnings: string[] = [];
  if (visible.length === 0) warnings.push("All sheets are hidden. Name one in `sheet` to read it.");
  const looked: { name: string; records: string[][]; isWhole: boolean }[] = [];
  for (const { name } of visible.slice(0, SHEETS_MAX)) {
    const found = await firstRows(open, name).catch((error: unknown) => {
      if (!(error instanceof ReadFailure)) throw error;
      warnings.push(`Sheet ${JSON.stringify(name)}: ${error.message}`);
      return { records: [], isWhole: true, hidden: [] };
    });
    warnings.push(...found.hidden.map((what) => `Sheet ${JSON.stringify(name)}: ${what}`));
    looked.push({ name, records: found.records, isWhole: found.isWhole });
  }
  const cellsOf = ({ records }: { records: string[][] }) => records.reduce((sum, cells) => sum + cells.length, 0);
  const [largest, ...others] = looked.filter((sheet) => cellsOf(sheet) > 0).toSorted((a, b) => cellsOf(b) - cellsOf(a));
  if (largest && others.length > 0) warnings.push(othersWarning(largest.name, others));
  return {
    sheets: all.map(({ name, isHidden }) => ({ name, isHidden, ...sizeOf(looked.find((each) => each.name === name)) })),
    best: largest && bestOf(largest, visible.length > 1),
    warnings,
  };
}

function othersWarning(name: string, others: readonly { name: string; records: string[][] }[]): string {
  const named = others.map((sheet) => `${JSON.stringify(sheet.name)} (${formatPlural(sheet.records.length, "row")})`);
  return (
    `The proposal is for sheet ${JSON.stringify(name)}, which has the most cells. It reads no other: ` +
    `${named.join(", ")}.`
  );
}

const sizeOf = (sheet: { records: string[][] } | undefined) => ({
  rows: sheet?.records.length ?? 0,
  columns: Math.max(0, ...(sheet?.records.map((cells) => cells.length) ?? [])),
});

function bestOf(
  { name, records, isWhole }: { name: string; records: string[][]; isWhole: boolean },
  mustName: boolean,
) {
  const width = Math.max(...records.map((cells) => cells.length));
  const even = records.map((cells) => [...cells, ...new Array<string>(width - cells.length).fill("")]);
  const { layoutOptions, ...found } = inspectRecords(even, isWhole, undefined, true);
  return { ...found, options: { ...(mustName && { sheet: name }), ...layoutOptions } };
}

async function firstRows(open: OpenWorkbook, sheet: string) {
  const records: string[][] = [];
  const options: XlsxOptions = READER_OPTIONS.xlsx.parse({ sheet, header: "none", columns: ["a"] });
  const layout = {
    record: (cells: readonly (string | null)[]) => {
      records.push(cells.map((cell) => cell ?? ""));
      return records.length < ROWS_MAX;
    },
    end: () => undefined,
  };
  const [rows, columns] = [new Set<number>(), new Set<number>()];
  const onHidden = (location: { row: number } | { column: number }) =>
    "row" in location ? rows.add(location.row) : columns.add(location.column);
  await readSheet(open, { options, layout, leaveOut: () => undefined, mayBeEmpty: true, onHidden });
  const hidden = [...hiddenOf("rows", [...rows]), ...hiddenOf("columns", [...columns].map(columnName))];
  return { records, isWhole: records.length < ROWS_MAX, hidden };
}

function hiddenOf(what: "rows" | "columns", names: readonly (number | string)[]): string[] {
  if (names.length === 0) return [];
  const shown = `${names.slice(0, HIDDEN_SHOWN).join(", ")}${names.length > HIDDEN_SHOWN ? ", …" : ""}`;
  return [`Hidden ${what} are read like all others: ${shown}.`];
}
