import { csvTable } from "./csv-table";
import { CSV_FORMAT, EXCEL_FORMAT, PARQUET_FORMAT, type PageFormat } from "./page-formats";
import { parquetTable } from "./parquet-table";
import type { RowSource } from "./row-source";
import { TEXT_MAX } from "./sheet-xml";
import { workbookTable } from "./workbook-table";

/** THE row of a format in which all rows of a view are saved. */
export interface RowFile {
  format: PageFormat;
  /** The most rows that it holds. */
  rowsMax?: number;
  /** The most cells, and the longest text of one in UTF-16 code units. */
  cellsMax?: number;
  textMax?: number;
  /** Whether it is sent compressed if the client accepts that. */
  isCompressible?: true;
  /** The file, written while it is sent. */
  write(source: RowSource): AsyncGenerator<Buffer>;
}

/** Excel's own limit of 1,048,576 rows includes the header. */
const EXCEL_ROWS_MAX = 1_048_575;

/** THE formats in which all rows of a view are saved, by their extension. */
export const ROW_FILES = {
  csv: {
    format: CSV_FORMAT,
    isCompressible: true,
    write: ({ engine, version, iteration, caller }) => csvTable(engine, version, caller, iteration),
  },
  parquet: { format: PARQUET_FORMAT, write: parquetTable },
  xlsx: {
    format: EXCEL_FORMAT,
    rowsMax: EXCEL_ROWS_MAX,
    // a workbook with more takes Excel minutes to open
    cellsMax: 50_000_000,
    textMax: TEXT_MAX,
    write: workbookTable,
  },
} as const satisfies Record<string, RowFile>;

export type RowFileName = keyof typeof ROW_FILES;
