import { refuseUnread } from "@/lib/readers/containers/unread-formats";
import { openZip, type ZipDirectory } from "@/lib/readers/containers/zip-directory";
import { mismatch, ReadFailure } from "@/lib/readers/failure";
import type { Layout, RowSink } from "@/lib/readers/layout";
import type { XlsxOptions } from "@/lib/schemas/recipe-reader";
import { SheetRows } from "./sheet-rows";
import { chooseSheet, memberOf, readWorkbook } from "./workbook-parts";
import { readXml } from "./xml";

const MEMBERS_MAX = 10_000;

export interface XlsxReading {
  path: string;
  options: XlsxOptions;
  unpackedBytes: number;
  layout: Pick<Layout, "record" | "end">;
  leaveOut: RowSink["leaveOut"];
  /** Whether a sheet without values is read like any other. */
  mayBeEmpty?: boolean;
  /** Called for each value in a hidden row or column. It is read like all others. */
  onHidden?(place: { row: number } | { column: number }): void;
}

/** Streams one sheet of a workbook; only its shared strings are held. Rows are numbered as in the sheet. */
export async function readXlsx(reading: XlsxReading): Promise<void> {
  const zip = await openWorkbook(reading.path, reading.unpackedBytes);
  try {
    const workbook = await readWorkbook(zip);
    const sheet = chooseSheet(workbook.sheets, reading.options.sheet);
    const member = memberOf(zip, sheet.part);
    if (!member) throw mismatch(`The workbook has no part for the sheet ${JSON.stringify(sheet.name)}.`);
    const rows = new SheetRows(workbook, reading);
    await readXml(zip.read(member), "sheet", rows);
    if (!rows.isOver()) rows.end();
  } finally {
    zip.close();
  }
}

/** Opens a workbook's zip. Refuses other files by name. */
export async function openWorkbook(path: string, unpackedBytes: number): Promise<ZipDirectory> {
  await refuseUnread(path, "The file");
  try {
    return await openZip(path, { unpackedBytes, members: MEMBERS_MAX });
  } catch (error) {
    if (error instanceof ReadFailure && /cannot be opened/.test(error.message))
      throw mismatch(`The file is not an xlsx workbook. ${error.message}`);
    throw error;
  }
}
