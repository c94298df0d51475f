import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { columnTypeOfStorage } from "@/lib/engine/types/column-types";
import { isJsonSql } from "@/lib/engine/types/json-text";
import type { StorageType } from "@/lib/engine/types/storage-type";
import type { InexactLeaf } from "./exact-leaves";

/** How a value of a file becomes a value of the service, as SQL of a reference to it. */
export interface Mapping {
  /** DuckDB's name for the result's type. */
  storage: string;
  /** Undefined if a cast to `storage` is exact, at every depth. */
  value?: (ref: string) => string;
  /** A condition that is never null: whether the service can hold the value exactly. Undefined if it can hold any. */
  fits?: (ref: string) => string;
  /** The value as messages show it, if its own text would not tell. */
  shown?: (ref: string) => string;
}

/** Takes the leaves of a type in their order; undefined for those that DuckDB reads exactly. */
export type NextLeaf = () => InexactLeaf | undefined;

/** Undefined for types that the service does not have. Timestamps without a zone are UTC, at every depth. */
export function mapType(type: StorageType, next: NextLeaf, depth = 0): Mapping | undefined {
  switch (type.kind) {
    case "list":
      return mapList(mapType(type.item, next, depth + 1), depth);
    case "struct":
      return mapStruct(
        type.fields.map(({ name, type: field }) => ({ name, mapping: mapType(field, next, depth + 1) })),
      );
    case "map":
      return mapMap(type, next, depth);
    case "scalar":
      return mapScalar(type, next());
  }
}

/** The value, if its type needs more than a cast or is another one. */
export const valueSql = ({ value, storage }: Mapping, ref: string): string =>
  value ? value(ref) : `CAST(${ref} AS ${storage})`;

function mapList(item: Mapping | undefined, depth: number): Mapping | undefined {
  if (!item) return undefined;
  const name = `x${depth}`;
  const each = (ref: string, element: (ref: string) => string) =>
    `list_transform(${ref}, lambda ${name}: ${element(name)})`;
  const { value, fits, shown } = item;
  return {
    storage: `${item.storage}[]`,
    ...(value && { value: (ref) => each(ref, value) }),
    ...(fits && { fits: (ref) => `coalesce(list_bool_and(${each(ref, fits)}), true)` }),
    ...(shown && { shown: (ref) => each(ref, shown) }),
  };
}

function mapStruct(fields: { name: string; mapping: Mapping | undefined }[]): Mapping | undefined {
  const mapped = fields.flatMap(({ name, mapping }) => (mapping ? [{ name, mapping }] : []));
  if (mapped.length < fields.length) return undefined;
  const member = (ref: string, name: string) => `struct_extract(${ref}, ${quoteLiteral(name)})`;
  const packed = (write: (mapping: Mapping, ref: string) => string) => (ref: string) => {
    const members = mapped.map(({ name, mapping }) => `${quoteLiteral(name)}: ${write(mapping, member(ref, name))}`);
    return `CASE WHEN ${ref} IS NOT NULL THEN {${members.join(", ")}} END`;
  };
  const tests = mapped.flatMap(({ name, mapping: { fits } }) =>
    fits ? [(ref: string) => fits(member(ref, name))] : [],
  );
  return {
    storage: `STRUCT(${mapped.map(({ name, mapping }) => `${quoteIdentifier(name)} ${mapping.storage}`).join(", ")})`,
    ...(mapped.some(({ mapping }) => mapping.value) && { value: packed(valueSql) }),
    ...(tests.length > 0 && { fits: (ref) => `(${tests.map((test) => test(ref)).join(" AND ")})` }),
    ...(mapped.some(({ mapping }) => mapping.shown) && {
      shown: packed(({ shown }, ref) => (shown ? shown(ref) : ref)),
    }),
  };
}

/** A map becomes the list of its entries. */
function mapMap(type: StorageType & { kind: "map" }, next: NextLeaf, depth: number): Mapping | undefined {
  const fields = [
    { name: "key", type: type.key },
    { name: "value", type: type.value },
  ];
  const entries = mapType({ kind: "list", item: { kind: "struct", fields } }, next, depth);
  if (!entries) return undefined;
  const { storage, fits, shown } = entries;
  const list = (ref: string) => `map_entries(${ref})`;
  return {
    storage,
    value: (ref) => valueSql(entries, list(ref)),
    ...(fits && { fits: (ref) => fits(list(ref)) }),
    ...(shown && { shown: (ref) => shown(list(ref)) }),
  };
}

const INSTANT = "TIMESTAMP WITH TIME ZONE";

function mapScalar(type: StorageType & { kind: "scalar" }, leaf: InexactLeaf | undefined): Mapping | undefined {
  if (leaf?.kind === "int96") return INT96;
  switch (type.name) {
    case "TIMESTAMP":
    case "TIMESTAMP_NS":
      return instantOf(type.name);
    case "TIME WITH TIME ZONE":
    case "TIME_NS":
      return timeOf(type.name);
    default:
      return columnTypeOfStorage(type) && { storage: type.name, ...testOf(type.name) };
  }
}

/** A timestamp without a zone. A cast to one with a zone, in a value or a comparison, takes twenty times as long. */
function instantOf(source: string): Mapping {
  const inRange = rangeTest("TIMESTAMP");
  return {
    storage: INSTANT,
    value: (ref) => `make_timestamptz(epoch_us(${ref}))`,
    fits: source === "TIMESTAMP" ? inRange : (ref) => withoutNanoseconds(ref, source, inRange),
  };
}

function timeOf(source: string): Mapping {
  const inRange = rangeTest("TIME");
  return {
    storage: "TIME",
    fits:
      source === "TIME_NS"
        ? (ref) => withoutNanoseconds(ref, source, inRange)
        : (ref) => inRange(`CAST(${ref} AS TIME)`),
  };
}

function withoutNanoseconds(ref: string, source: string, inRange: (value: string) => string): string {
  const rounded = `CAST(${ref} AS ${source.slice(0, -"_NS".length)})`;
  return `(${inRange(rounded)} AND CAST(${rounded} AS ${source}) IS NOT DISTINCT FROM ${ref})`;
}

function testOf(name: string): Pick<Mapping, "fits"> {
  if (name === "JSON") return { fits: (ref) => `coalesce(${isJsonSql(`CAST(${ref} AS VARCHAR)`)}, true)` };
  if (name.startsWith("DECIMAL")) return { fits: digitsTest(name) };
  return columnTypeOfStorage({ kind: "scalar", name })?.source.range ? { fits: rangeTest(name) } : {};
}

/** Hides a value's source: by the statistics of a file, which may be wrong, DuckDB would decide a test beforehand. */
const opaque = (value: string): string => `greatest(${value})`;

function rangeTest(storage: string): (value: string) => string {
  const range = columnTypeOfStorage({ kind: "scalar", name: storage })?.source.range ?? [];
  const [low, high] = storage === "TIMESTAMP" ? range.map((end) => `make_timestamp(epoch_us(${end}))`) : range;
  return (value) => `coalesce(${opaque(value)} BETWEEN ${low} AND ${high}, true)`;
}

/** A file may hold more digits than its type declares. */
function digitsTest(storage: string): (value: string) => string {
  const [, precision = "", scale = ""] = /\((\d+),(\d+)\)/.exec(storage) ?? [];
  const digits = "9".repeat(Number(precision));
  const point = digits.length - Number(scale);
  const most = `CAST('${digits.slice(0, point)}.${digits.slice(point)}' AS ${storage})`;
  return (value) => `coalesce(${opaque(value)} BETWEEN -${most} AND ${most}, true)`;
}

/**
 * An INT96, read as an interval: 8 bytes of nanoseconds in the day, whose lower half are its months and whose higher
 * half its days, and 4 of the Julian day, its milliseconds.
 */
const nanosecondsOf = (ref: string): string =>
  `(day(${ref}) * 4294967296 + ((year(${ref}) * 12 + month(${ref})) & 4294967295))`;
const dayOf = (ref: string): string => `(hour(${ref}) * 3600000 + minute(${ref}) * 60000 + millisecond(${ref}))`;
/** In the years 1 to 9999, and in the day. */
const isInstant = (ref: string): string =>
  `(${dayOf(ref)} BETWEEN 1721426 AND 5373484 AND ${nanosecondsOf(ref)} BETWEEN 0 AND 86399999999999)`;
const microsecondsOf = (ref: string): string =>
  `((${dayOf(ref)} - 2440588) * 86400000000 + ${nanosecondsOf(ref)} // 1000)`;

const INT96: Mapping = {
  storage: INSTANT,
  value: (ref) => `CASE WHEN ${isInstant(ref)} THEN make_timestamptz(${microsecondsOf(ref)}) END`,
  fits: (ref) => `coalesce(${isInstant(ref)} AND ${nanosecondsOf(ref)} % 1000 = 0, true)`,
  shown: (ref) =>
    `CASE WHEN ${isInstant(ref)} THEN strftime(make_timestamp(${microsecondsOf(ref)}), '%Y-%m-%d %H:%M:%S.%f') || ` +
    `lpad(CAST(${nanosecondsOf(ref)} % 1000 AS VARCHAR), 3, '0') ` +
    `WHEN ${ref} IS NOT NULL THEN 'Julian day ' || ${dayOf(ref)} END`,
};
