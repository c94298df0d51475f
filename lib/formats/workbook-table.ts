import { Readable } from "node:stream";
import { zipArchive } from "./archive";
import { SHEET_ROWS } from "./page-formats";
import { type RowSource, writtenPieces } from "./row-source";
import { aboutSheet } from "./sheet-xml";
import { PART_BYTES_MAX, SHEET_END, SHEET_HEAD, workbookParts } from "./workbook-parts";

/** All rows as an Excel workbook with a sheet that says where they are from, compressed while it is sent. */
export async function* workbookTable(source: RowSource): AsyncGenerator<Buffer> {
  const rows = { name: "Rows", open: () => Readable.from(sheet(source), { objectMode: false }) };
  const about = { name: "About", xml: aboutSheet(source.about) };
  const { stream } = await zipArchive(workbookParts([rows, about]), new Date(source.version.publishedAt));
  yield* stream as AsyncIterable<Buffer>;
}

async function* sheet(source: RowSource): AsyncGenerator<Buffer> {
  yield Buffer.from(SHEET_HEAD);
  let left = PART_BYTES_MAX - SHEET_HEAD.length - SHEET_END.length;
  for await (const { bytes } of writtenPieces(source, SHEET_ROWS)) {
    left -= bytes.byteLength;
    if (left < 0) throw new Error("The sheet is too large for a workbook");
    yield Buffer.from(bytes);
  }
  yield Buffer.from(SHEET_END);
}
