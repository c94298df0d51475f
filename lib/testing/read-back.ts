import * as arrow from "apache-arrow";
import { decompress } from "fzstd";
import { type FileMetaData, parquetMetadata, parquetReadObjects } from "hyparquet";
import { isLosslessNumber, stringify } from "lossless-json";
import { parseStorageType, type StorageType } from "@/lib/engine/types/storage-type";

/** A value in one plain form for every format, so that values read back can be compared with the JSON. */
export type Plain = null | boolean | string | readonly Plain[] | { readonly [name: string]: Plain };

interface Column {
  name: string;
  type: string;
  storage: string;
}

/** A JSON reply's value, parsed with its digits kept. */
export function plainFromJson({ type, storage }: Column, value: unknown): Plain {
  if (type === "json") return value === null ? null : (stringify(value) ?? null);
  return fromJson(treeOf(storage), value);
}

function fromJson(type: StorageType, value: unknown): Plain {
  if (value === null || typeof value === "boolean") return value;
  if (type.kind === "list") return (value as unknown[]).map((item) => fromJson(type.item, item));
  if (type.kind === "struct")
    return Object.fromEntries(
      type.fields.map((field) => [field.name, fromJson(field.type, (value as Record<string, unknown>)[field.name])]),
    );
  if (type.kind === "map") throw new Error("No version has a map");
  const text = isLosslessNumber(value) ? value.value : String(value);
  return isFloat(type.name) ? floatText(type.name === "FLOAT" ? Math.fround(Number(text)) : Number(text)) : text;
}

/** Converts the libraries' values in memory: raw integers for times and decimals. */
function fromRaw(type: StorageType, value: unknown): Plain {
  if (value === null || value === undefined) return null;
  if (type.kind === "list") return [...(value as Iterable<unknown>)].map((item) => fromRaw(type.item, item));
  if (type.kind === "struct")
    return Object.fromEntries(
      type.fields.map((field) => [field.name, fromRaw(field.type, (value as Record<string, unknown>)[field.name])]),
    );
  if (type.kind === "map") throw new Error("No version has a map");
  if (type.name.startsWith("DECIMAL")) return decimalText(unitsOf(value), Number(/,(\d+)\)/.exec(type.name)?.[1]));
  if (type.name.startsWith("TIMESTAMP")) return timestampText(value as bigint);
  if (type.name === "TIME") return timeText(value as bigint);
  if (type.name === "DATE") return new Date((value as number) * 86_400_000).toISOString().slice(0, 10);
  if (type.name === "BLOB") return Buffer.from(value as Uint8Array).toString("base64");
  if (isFloat(type.name)) return floatText(value as number);
  return typeof value === "boolean" ? value : String(value);
}

const COMPRESSORS = { ZSTD: (packed: Uint8Array) => decompress(packed) };

/** The rows of a Parquet file as hyparquet reads them; its own parsers would round decimals and times. */
export async function readParquet(bytes: Buffer, columns: readonly Column[]): Promise<Record<string, Plain>[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const metadata = withRawDecimals(parquetMetadata(file));
  const parsers = {
    timestampFromMicroseconds: (value: bigint) => value,
    dateFromDays: (days: number) => days,
  } as never;
  const rows = await parquetReadObjects({
    ...{ file, metadata, parsers, utf8: false },
    compressors: COMPRESSORS,
  });
  return rows.map((row) => plainRow(columns, (name) => row[name]));
}

/** Without the decimal annotation, the bytes are returned unchanged. */
function withRawDecimals(metadata: FileMetaData): FileMetaData {
  for (const element of metadata.schema)
    if (element.converted_type === "DECIMAL")
      Object.assign(element, { converted_type: undefined, logical_type: undefined });
  return metadata;
}

/** The rows of an Arrow stream of one record batch, from its buffers: the library's getters round times. */
export function readArrow(bytes: Buffer, columns: readonly Column[]): Record<string, Plain>[] {
  const table = arrow.tableFromIPC(bytes);
  return Array.from({ length: table.numRows }, (_, at) =>
    plainRow(columns, (name) => arrowValue(table.getChild(name)?.data[0] as arrow.Data, at)),
  );
}

function arrowValue(data: arrow.Data, at: number): unknown {
  if (!data.getValid(at)) return null;
  const { type, values } = data;
  if (arrow.DataType.isStruct(type))
    return Object.fromEntries(
      type.children.map((field, index) => [field.name, arrowValue(data.children[index] as arrow.Data, at)]),
    );
  if (arrow.DataType.isList(type)) {
    const [start = 0, end = 0] = data.valueOffsets.subarray(at, at + 2);
    return Array.from({ length: end - start }, (_, index) => arrowValue(data.children[0] as arrow.Data, start + index));
  }
  if (arrow.DataType.isDecimal(type))
    return littleEndian(new Uint8Array(values.buffer, values.byteOffset + at * 16, 16));
  const isWhole = arrow.DataType.isTimestamp(type) || arrow.DataType.isTime(type) || arrow.DataType.isDate(type);
  return isWhole ? values[at] : new arrow.Vector([data]).get(at);
}

function plainRow(columns: readonly Column[], cellOf: (name: string) => unknown): Record<string, Plain> {
  const typeOf = ({ type, storage }: Column) => treeOf(type === "json" ? "VARCHAR" : storage);
  return Object.fromEntries(columns.map((column) => [column.name, fromRaw(typeOf(column), cellOf(column.name))]));
}

/** Parquet keeps wide decimals as bytes, most significant first. */
const unitsOf = (value: unknown): bigint =>
  value instanceof Uint8Array ? littleEndian(value.toReversed()) : BigInt(value as bigint | number);

const littleEndian = (bytes: Uint8Array): bigint =>
  BigInt.asIntN(
    128,
    [...bytes].reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n),
  );

function treeOf(storage: string): StorageType {
  const tree = parseStorageType(storage);
  if (!tree) throw new Error(`Not a type: ${storage}`);
  return tree;
}

const isFloat = (name: string): boolean => name === "FLOAT" || name === "DOUBLE";

const floatText = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));

function decimalText(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return units < 0n ? `-${text}` : text;
}

function timestampText(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const second = new Date(Number((micros - fraction) / 1000n)).toISOString().slice(0, 19);
  return `${second}${fractionText(fraction)}Z`;
}

function timeText(micros: bigint): string {
  return `${new Date(Number(micros / 1000n)).toISOString().slice(11, 19)}${fractionText(micros % 1_000_000n)}`;
}

const fractionText = (micros: bigint): string => (micros === 0n ? "" : `.${String(micros).padStart(6, "0")}`);
