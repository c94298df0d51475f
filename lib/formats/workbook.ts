import { buffer } from "node:stream/consumers";
import { fail } from "@/lib/kernel/errors";
import { zipArchive } from "./archive";
import type { PageRows } from "./page-rows";
import { aboutSheet, toSheetRows } from "./sheet-xml";
import { SHEET_END, SHEET_HEAD, workbookParts } from "./workbook-parts";

/** A page's workbook is built in memory. This many cells take half a second. */
const CELLS_MAX = 200_000;
/** The parts' time, so that equal pages give equal bytes. */
const PARTS_AT = new Date(0);

/**
 * A page as an Excel workbook: a sheet of rows with a frozen header, and one that says where they are from. Throws
 * `result_too_large` for too many cells, and for a cell longer than Excel's limit.
 */
export async function toWorkbook(page: PageRows): Promise<Buffer> {
  const cells = page.returnedRows * page.columns.length;
  if (cells > CELLS_MAX)
    throw fail("result_too_large", {
      message:
        `Too many cells for a workbook: ${cells.toLocaleString("en")} (maximum ` +
        `${CELLS_MAX.toLocaleString("en")}). Request fewer rows or columns, or choose CSV.`,
    });
  const rows = { name: "Rows", xml: `${SHEET_HEAD}${toSheetRows(page)}${SHEET_END}` };
  const about = page.source ? [{ name: "About", xml: aboutSheet(page.source) }] : [];
  const { stream } = await zipArchive(workbookParts([rows, ...about]), PARTS_AT);
  return await buffer(stream);
}
