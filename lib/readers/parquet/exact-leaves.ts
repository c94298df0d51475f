import type { Footer, SchemaNode } from "./footer";
import {
  boolean,
  type Field,
  type Fields,
  integer,
  readInteger,
  readList,
  readStruct,
  struct,
  THRIFT,
  writeList,
  writeStruct,
} from "./thrift";

/** A leaf column that DuckDB would read as other values, without an error. */
export type InexactLeaf =
  /** Instants of 12 bytes, whose nanoseconds DuckDB drops. */
  | { kind: "int96" }
  /** Nanoseconds in UTC, which DuckDB drops, unlike those of a local time. */
  | { kind: "utcNanoseconds"; of: "TIME" | "TIMESTAMP" }
  /** A decimal of more than 38 digits, which DuckDB reads as a float. */
  | { kind: "wideDecimal"; precision: number; scale: number };

const DIGITS_MAX = 38;

/** Numbers of fields, from the format's own definition (parquet.thrift). */
const METADATA = { schema: 2, rowGroups: 4 };
const ROW_GROUP = { columns: 1 };
/** Without the offsets of page indexes, which hold bounds in the old type. */
const CHUNK = { metadata: 3, indexes: [4, 5, 6, 7] };
/** Statistics and Bloom filters are of the old type, and nothing that is read whole needs them. */
const CHUNK_METADATA = { type: 1, bounds: [12, 14, 15, 16] };
const NODE = { type: 1, length: 2, converted: 6, scale: 7, precision: 8, logical: 10 };
const TYPE = { int96: 3, fixedBytes: 7 };
const CONVERTED = { decimal: 5, interval: 21 };
const LOGICAL = { decimal: 5, time: 7, timestamp: 8 };
const UNIT_NANOSECONDS = 3;

export const isLeaf = ({ fields }: SchemaNode): boolean => fields.has(NODE.type);

/** How a leaf would be changed by DuckDB; undefined if it is read exactly, or rejected by its type. */
export function inexactLeaf({ fields }: SchemaNode): InexactLeaf | undefined {
  const type = fields.get(NODE.type);
  if (type && readInteger(type) === TYPE.int96) return { kind: "int96" };
  return wideDecimal(fields) ?? utcNanoseconds(fields);
}

function wideDecimal(fields: Fields): InexactLeaf | undefined {
  const converted = fields.get(NODE.converted);
  const logical = logicalType(fields)?.get(LOGICAL.decimal);
  if (!logical && !(converted && readInteger(converted) === CONVERTED.decimal)) return undefined;
  const named = logical && readStruct(logical.raw);
  const [scale, precision] = [fields.get(NODE.scale) ?? named?.get(1), fields.get(NODE.precision) ?? named?.get(2)];
  const digits = precision ? readInteger(precision) : 0;
  if (digits <= DIGITS_MAX) return undefined;
  return { kind: "wideDecimal", precision: digits, scale: scale ? readInteger(scale) : 0 };
}

function utcNanoseconds(fields: Fields): InexactLeaf | undefined {
  const logical = logicalType(fields);
  const of = logical?.has(LOGICAL.time) ? "TIME" : "TIMESTAMP";
  const annotated = logical?.get(LOGICAL.time) ?? logical?.get(LOGICAL.timestamp);
  if (!annotated) return undefined;
  const [isUtc, unit] = [1, 2].map((id) => readStruct(annotated.raw).get(id));
  const isNanoseconds = unit !== undefined && readStruct(unit.raw).has(UNIT_NANOSECONDS);
  return isNanoseconds && isUtc?.type === THRIFT.true ? { kind: "utcNanoseconds", of } : undefined;
}

function logicalType(fields: Fields): Fields | undefined {
  const logical = fields.get(NODE.logical);
  return logical && readStruct(logical.raw);
}

/**
 * The footer with these leaves, by their numbers, declared as what DuckDB reads exactly: a decimal of 38 digits, whose
 * values it checks; nanoseconds without a zone; INT96 as an interval, three numbers of 4 bytes. The pages stay as they
 * are.
 */
export function exactFooter({ fields, nodes }: Footer, leaves: ReadonlyMap<number, InexactLeaf>): Buffer {
  let leaf = 0;
  const schema = nodes.map((node) => {
    const inexact = isLeaf(node) ? leaves.get(leaf++) : undefined;
    return writeStruct(inexact ? exactNode(node.fields, inexact) : node.fields);
  });
  const changed = new Map(fields).set(METADATA.schema, writeList(THRIFT.struct, schema));
  editList(changed, METADATA.rowGroups, (group) => {
    editList(group, ROW_GROUP.columns, (chunk, at) => {
      const inexact = leaves.get(at);
      if (inexact) editChunk(chunk, inexact);
    });
  });
  return writeStruct(changed);
}

function exactNode(fields: Fields, leaf: InexactLeaf): Fields {
  const exact = new Map(fields);
  exact.delete(NODE.logical);
  exact.delete(NODE.converted);
  if (leaf.kind === "wideDecimal")
    exact
      .set(NODE.converted, integer(CONVERTED.decimal))
      .set(NODE.scale, integer(leaf.scale))
      .set(NODE.precision, integer(DIGITS_MAX));
  else if (leaf.kind === "utcNanoseconds") {
    const local = struct({ 1: boolean(false), 2: struct({ [UNIT_NANOSECONDS]: struct({}) }) });
    exact.set(NODE.logical, struct({ [leaf.of === "TIME" ? LOGICAL.time : LOGICAL.timestamp]: local }));
  } else
    exact
      .set(NODE.type, integer(TYPE.fixedBytes))
      .set(NODE.length, integer(12))
      .set(NODE.converted, integer(CONVERTED.interval));
  return exact;
}

function editChunk(chunk: Fields, leaf: InexactLeaf): void {
  for (const id of CHUNK.indexes) chunk.delete(id);
  const metadata = chunk.get(CHUNK.metadata);
  if (!metadata) return;
  const edited = readStruct(metadata.raw);
  for (const id of CHUNK_METADATA.bounds) edited.delete(id);
  if (leaf.kind === "int96") edited.set(CHUNK_METADATA.type, integer(TYPE.fixedBytes));
  chunk.set(CHUNK.metadata, { type: THRIFT.struct, raw: writeStruct(edited) });
}

/** Edits every struct of a list, one at a time: a footer may be large. */
function editList(fields: Fields, id: number, edit: (item: Fields, at: number) => void): void {
  const list: Field | undefined = fields.get(id);
  if (!list) return;
  const items = readList(list).items.map((bytes, at) => {
    const item = readStruct(bytes);
    edit(item, at);
    return writeStruct(item);
  });
  fields.set(id, writeList(THRIFT.struct, items));
}
