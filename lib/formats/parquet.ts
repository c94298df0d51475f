import { parquetWriteBuffer } from "hyparquet-writer";
import { type PageRows, rowsOf } from "./page-rows";
import { pageType } from "./page-types";
import { holdsFloats, parquetElements, parquetValue } from "./parquet-column";

/**
 * A page as a Parquet file of one row group. Types are those of the stored table; json is text; with `int64: "string"`
 * wide numbers are text too. Its metadata say where the rows are from, as those of a file of all rows do.
 */
export function toParquet(page: PageRows, wideAsText: boolean): Buffer {
  const rows = rowsOf(page);
  const columns = page.columns.map((column) => ({ name: column.name, type: pageType(column, wideAsText) }));
  const schema = columns.flatMap(({ name, type }) => parquetElements(name, type));
  const columnData = columns.map(({ name, type }) => {
    const write = parquetValue(type);
    return {
      name,
      data: rows.map((row) => write(row[name] ?? null)),
      ...(holdsFloats(type) && { encoding: "PLAIN" as const }),
    };
  });
  // without statistics: a page is read completely, and bounds would lose NaN or the sign of a zero
  const options = {
    ...{ createdBy: "Parquetry", statistics: false, rowGroupSize: Math.max(1, rows.length) },
    ...(page.source && { kvMetadata: page.source.map(({ key, value }) => ({ key, value })) }),
  };
  return Buffer.from(
    parquetWriteBuffer({ schema: [{ name: "root", num_children: columns.length }, ...schema], columnData, ...options }),
  );
}
