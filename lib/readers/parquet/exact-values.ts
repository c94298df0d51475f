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
  const each = (ref: string, made: (ref: string) => string) => `list_transform(${ref}, lambda ${name}: ${made(name)})`;
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
  const packed = (made: (mapping: Mapping, ref: string) => string) => (ref: string) => {
    const members = mapped.map(({ name, mapping }) => `${quoteLiteral(name)}: ${made(mapping, member(ref, name))}`);
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
      return { storage: INSTANT, fits: (ref) => isKept(ref, type.name, INSTANT) };
    case "TIME WITH TIME ZONE":
    case "TIME_NS":
      return { storage: "TIME", fits: (ref) => isKept(ref, type.name, "TIME") };
    default:
      return columnTypeOfStorage(type) && { storage: type.name, ...testOf(type.name) };
  }
}

/** Whether the value is in the range of the type and has no nanoseconds. */
function isKept(ref: string, source: string, storage: string): string {
  const inRange = rangeTest(storage)(`CAST(${ref} AS ${storage})`);
  return source.endsWith("_NS") ? `(${inRange} AND ${isWhole(ref, source)})` : inRange;
}

const isWhole = (ref: string, source: string): string =>
  `CAST(CAST(${ref} AS ${source.slice(0, -"_NS".length)}) AS ${source}) IS NOT DISTINCT FROM ${ref}`;

function testOf(name: string): Pick<Mapping, "fits"> {
  if (name === "JSON") return { fits: (ref) => `coalesce(${isJsonSql(`CAST(${ref} AS VARCHAR)`)}, true)` };
  if (name.startsWith("DECIMAL")) return { fits: digitsTest(name) };
  return columnTypeOfStorage({ kind: "scalar", name })?.source.range ? { fits: rangeTest(name) } : {};
}

/** Hides a value's source: by the statistics of a file, which may be wrong, DuckDB would decide a test beforehand. */
const opaque = (value: string): string => `greatest(${value})`;

function rangeTest(storage: string): (value: string) => string {
  const [low, high] = columnTypeOfStorage({ kind: "scalar", name: storage })?.source.range ?? [];
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

/** Bytes of an INT96 by their place: 8 of nanoseconds in the day, 4 of the Julian day, each from the lowest. */
const lowFirst = (ref: string, first: number, count: number): string =>
  Array.from({ length: count }, (_, at) => {
    const shift = 8 * (11 - first - at);
    const byte =
      shift >= 32
        ? `((CAST(CAST(${ref} AS HUGEINT) >> 32 AS BIGINT) >> ${shift - 32}) & 255)`
        : `((CAST(CAST(${ref} AS HUGEINT) & 4294967295 AS BIGINT) >> ${shift}) & 255)`;
    return at === 0 ? byte : `${byte} * ${256 ** at}`;
  }).join(" + ");
const nanosecondsOf = (ref: string): string => `(${lowFirst(ref, 0, 6)})`;
const dayOf = (ref: string): string => `(${lowFirst(ref, 8, 4)})`;
/** In the years 1 to 9999, and in the day. */
const isInstant = (ref: string): string =>
  `(${dayOf(ref)} BETWEEN 1721426 AND 5373484 AND ${lowFirst(ref, 6, 2)} = 0 AND ${nanosecondsOf(ref)} < 86400000000000)`;
const instantOf = (ref: string): string =>
  `make_timestamp((${dayOf(ref)} - 2440588) * 86400000000 + ${nanosecondsOf(ref)} // 1000)`;

const INT96: Mapping = {
  storage: INSTANT,
  value: (ref) => `CASE WHEN ${isInstant(ref)} THEN CAST(${instantOf(ref)} AS ${INSTANT}) END`,
  fits: (ref) => `coalesce(${isInstant(ref)} AND ${nanosecondsOf(ref)} % 1000 = 0, true)`,
  shown: (ref) =>
    `CASE WHEN ${isInstant(ref)} THEN strftime(${instantOf(ref)}, '%Y-%m-%d %H:%M:%S.%f') || ` +
    `lpad(CAST(${nanosecondsOf(ref)} % 1000 AS VARCHAR), 3, '0') ` +
    `WHEN ${ref} IS NOT NULL THEN 'Julian day ' || ${dayOf(ref)} END`,
};
