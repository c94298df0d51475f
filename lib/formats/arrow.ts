import * as arrow from "apache-arrow";
import type { QueryPage } from "@/lib/engine/query";
import { parseStorageType, type StorageType } from "@/lib/engine/storage-type";
import { arrowData } from "./arrow-data";
import { rowsOf } from "./page-rows";

/** A page as an Arrow IPC stream of one record batch. Types as in the schema; uuid and json are text; with `int64: "string"` wide numbers are text too. */
export function toArrow(page: QueryPage, wideAsText: boolean): Buffer {
  const rows = rowsOf(page);
  const children = page.columns.map(({ name, type, storage }) =>
    arrowData(
      typeOf(type, storage, wideAsText),
      rows.map((row) => row[name] ?? null),
    ),
  );
  const fields = page.columns.map(({ name }, at) => new arrow.Field(name, (children[at] as arrow.Data).type, true));
  const struct = arrow.makeData({ type: new arrow.Struct(fields), length: rows.length, nullCount: 0, children });
  const schema = new arrow.Schema(fields);
  return Buffer.from(arrow.tableToIPC(new arrow.Table(schema, new arrow.RecordBatch(schema, struct as arrow.Data<arrow.Struct>)), "stream"));
}

function typeOf(type: string, storage: string, wideAsText: boolean): StorageType {
  if (type === "json") return TEXT;
  const parsed = parseStorageType(storage);
  if (!parsed) throw new Error(`Cannot write the type ${storage}`);
  return wideAsText ? withWideText(parsed) : parsed;
}

const TEXT: StorageType = { kind: "scalar", name: "VARCHAR" };

function withWideText(type: StorageType): StorageType {
  if (type.kind === "list") return { kind: "list", item: withWideText(type.item) };
  if (type.kind === "struct") return { kind: "struct", fields: type.fields.map(({ name, type: inner }) => ({ name, type: withWideText(inner) })) };
  return /^(U?BIGINT|DECIMAL)/.test(type.name) ? TEXT : type;
}
