import { refuseUnread } from "@/lib/readers/containers/unread-formats";
import { openZip, type ZipDirectory } from "@/lib/readers/containers/zip-directory";
import { mismatch, ReadFailure } from "@/lib/readers/failure";
import { type SheetReading, SheetRows } from "./sheet-rows";

import { chooseSheet, memberOf, readWorkbook, type Workbook } from "./workbook-parts";
import { readXml } from "./xml";

const MEMBERS_MAX = 10_000;

/** A workbook without its sheets' cells. */
export interface OpenWorkbook {
  zip: ZipDirectory;
  workbook: Workbook;
}

export interface XlsxReading extends SheetReading {
  path: string;
  unpackedBytes: number;
}

/** Streams one sheet of a workbook; only its shared strings are held. Rows are numbered as in the sheet. */
export const readXlsx = ({ path, unpackedBytes, ...reading }: XlsxReading): Promise<void> =>
  withWorkbook(path, unpackedBytes, (open) => readSheet(open, reading));

/** Opens a workbook while `work` runs. Refuses other files by name. */
export async function withWorkbook<T>(
  path: string,
  unpackedBytes: number,
  work: (open: OpenWorkbook) => Promise<T>,
): Promise<T> {
  await refuseUnread(path, "The file");
  const zip = await openParts(path, unpackedBytes);
  try {
    return await work({ zip, workbook: await readWorkbook(zip) });
  } finally {
    zip.close();
  }
}

/** Streams the sheet that the options choose. */
export async function readSheet({ zip, workbook }: OpenWorkbook, reading: SheetReading): Promise<void> {
  const sheet = chooseSheet(workbook.sheets, reading.options.sheet);
  const member = memberOf(zip, sheet.part);
  if (!member)
    throw mismatch(
      `The workbook has no part for the sheet ${JSON.stringify(sheet.name.slice(0, 100))}. Save it again.`,
    );
  const rows = new SheetRows(workbook, reading);
  await readXml(zip.read(member), "sheet", rows);
  if (!rows.isOver()) rows.end();
}

async function openParts(path: string, unpackedBytes: number): Promise<ZipDirectory> {
  try {
    return await openZip(path, { unpackedBytes, members: MEMBERS_MAX });
  } catch (error) {
    if (error instanceof ReadFailure && /cannot be opened/.test(error.message))
      throw mismatch(`The file is not an xlsx workbook. ${error.message}`);
    throw error;
  }
}
