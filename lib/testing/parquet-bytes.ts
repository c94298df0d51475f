import type { SchemaElement } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import {
  integer,
  readInteger,
  readList,
  readStruct,
  THRIFT,
  writeList,
  writeStruct,
} from "@/lib/readers/parquet/thrift";

/** A column of a file for tests: a leaf as the format's own definition describes it, and its values. */
export interface MadeColumn {
  leaf: Omit<SchemaElement, "name" | "repetition_type">;
  /** Lists take arrays, structs `{ a }`, maps objects. */
  values: unknown[];
  in?: "list" | "struct" | "map";
}

/** A Parquet file with these columns, of any type, written without DuckDB. */
export function parquetBytes(columns: Record<string, MadeColumn>): Buffer {
  const schema: SchemaElement[] = [{ name: "root", num_children: Object.keys(columns).length }];
  for (const [name, column] of Object.entries(columns)) schema.push(...nodesOf(name, column));
  const columnData = Object.entries(columns).map(([name, { values }]) => ({ name, data: values }));
  return Buffer.from(parquetWriteBuffer({ columnData, schema }));
}

function nodesOf(name: string, { leaf, in: nesting }: MadeColumn): SchemaElement[] {
  const group = (name: string, children: number, more: Partial<SchemaElement> = {}): SchemaElement => ({
    ...{ name, num_children: children, repetition_type: "OPTIONAL", ...more },
  });
  const value = (name: string): SchemaElement => ({ name, repetition_type: "OPTIONAL", ...leaf });
  if (nesting === "list")
    return [
      group(name, 1, { converted_type: "LIST" }),
      group("list", 1, { repetition_type: "REPEATED" }),
      value("element"),
    ];
  if (nesting === "struct") return [group(name, 1), value("a")];
  if (nesting === "map")
    return [
      group(name, 1, { converted_type: "MAP" }),
      group("key_value", 2, { repetition_type: "REPEATED" }),
      { name: "key", repetition_type: "REQUIRED", type: "BYTE_ARRAY", converted_type: "UTF8" },
      value("value"),
    ];
  return [value(name)];
}

/** The file with another footer, as `edit` makes it from the file's own metadata. */
export function withFooter(bytes: Buffer, edit: (metadata: ReturnType<typeof readStruct>) => void): Buffer {
  const from = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  const metadata = readStruct(bytes.subarray(from, -8));
  edit(metadata);
  const footer = writeStruct(metadata);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([bytes.subarray(0, from), footer, length, Buffer.from("PAR1")]);
}

/** The file with another schema, whose leaves are as `edit` makes them. */
export function withNodes(bytes: Buffer, edit: (leaf: ReturnType<typeof readStruct>) => void): Buffer {
  return withFooter(bytes, (metadata) => {
    const schema = metadata.get(2);
    if (!schema) throw new Error("The file has no schema");
    const nodes = readList(schema).items.map((item) => {
      const node = readStruct(item);
      if (node.has(1)) edit(node);
      return writeStruct(node);
    });
    metadata.set(2, writeList(THRIFT.struct, nodes));
  });
}

/** The file with its leaves of 12 bytes declared as INT96, which no library here writes. */
export const asInt96 = (bytes: Buffer): Buffer =>
  withNodes(bytes, (leaf) => {
    const length = leaf.get(2);
    if (length && readInteger(length) === 12) leaf.set(1, integer(3)).delete(2);
  });

/** An INT96: nanoseconds of the day, then the Julian day. */
export function int96(nanoseconds: bigint): Uint8Array {
  const day = 86_400_000_000_000n;
  const days = (nanoseconds - (((nanoseconds % day) + day) % day)) / day;
  const bytes = Buffer.alloc(12);
  bytes.writeBigUInt64LE(nanoseconds - days * day, 0);
  bytes.writeUInt32LE(Number(days) + 2_440_588, 8);
  return new Uint8Array(bytes);
}
