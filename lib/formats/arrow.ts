import * as arrow from "apache-arrow";
import { arrowData } from "./arrow-data";
import { type PageRows, rowsOf } from "./page-rows";
import { pageType } from "./page-types";

/**
 * A page as an Arrow IPC stream of one record batch. Types are those of the schema; uuid and json are text; with
 * `int64: "string"` wide numbers are text too.
 */
export function toArrow(page: PageRows, wideAsText: boolean): Buffer {
  const rows = rowsOf(page);
  const children = page.columns.map((column) =>
    arrowData(
      pageType(column, wideAsText),
      rows.map((row) => row[column.name] ?? null),
    ),
  );
  const fields = page.columns.map(({ name }, at) => new arrow.Field(name, (children[at] as arrow.Data).type, true));
  const struct = arrow.makeData({ type: new arrow.Struct(fields), length: rows.length, nullCount: 0, children });
  const schema = new arrow.Schema(fields);
  return Buffer.from(
    arrow.tableToIPC(
      new arrow.Table(schema, new arrow.RecordBatch(schema, struct as arrow.Data<arrow.Struct>)),
      "stream",
    ),
  );
}
