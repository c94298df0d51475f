import { pointerTo } from "@/lib/engine/grammar/grammar-faults";
import { FLOAT64 } from "@/lib/engine/types/floats";
import { INT64 } from "@/lib/engine/types/integers";
import type { StagedColumn } from "@/lib/readers/staged-source";
import { type ColumnFound, inspectColumn } from "./columns";

/** A member of a column's objects, as `fields` of the step flatten takes it. */
export interface MemberFound {
  /** JSON Pointer. */
  at: string;
  /** The type that flatten gives it. A step may parse it further, as `column` says. */
  type: string;
  column: ColumnFound;
}

const OBJECTS_LOOKED_AT = 200;
const DEPTH_MAX = 3;
/** Objects with more members are more likely maps than records. */
const MEMBERS_MAX = 20;

/**
 * What a column of JSON cells is. Strings carry a mark and are examined as text; other values have types of their own.
 */
export function inspectJsonColumn({ name, kinds = [] }: StagedColumn, cells: readonly string[]): ColumnFound {
  const [kind] = kinds;
  if (kinds.length === 1 && kind === "string")
    return inspectColumn(
      name,
      cells.map((cell) => cell.slice(1)),
    );
  const values = kinds.length === 1 && (kind === "object" || kind === "array") ? parsed(cells) : [];
  const members = kind === "object" ? findMembers(name, values) : undefined;
  const why = kinds.length === 0 ? "no value" : `${kinds.join(" and ")} in JSON`;
  return { ...plainColumn(name, cells), type: typeOf(kinds, cells, values), why, ...(members && { members }) };
}

/** Counts and examples of cells that need no parsing. */
function plainColumn(name: string, cells: readonly string[]): ColumnFound {
  const { number: _, date: __, spellings: ___, ...found } = inspectColumn(name, cells);
  return { ...found, isText: false, others: 0, nullTokens: [] };
}

function typeOf(kinds: readonly string[], cells: readonly string[], values: readonly unknown[]): string {
  if (kinds.length === 0) return "string";
  if (kinds.length > 1) return "json";
  switch (kinds[0]) {
    case "number":
      return inspectColumn("", cells).type === INT64.name ? INT64.name : FLOAT64.name;
    case "boolean":
      return "boolean";
    case "array":
      return listType(values.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [])));
    default:
      return "json";
  }
}

/** The type by the items of all arrays: a list if they have the same type. */
function listType(items: readonly unknown[]): string {
  const known = items.filter((item) => item !== null);
  const types = new Set(known.map(scalarType));
  if (types.size === 2 && types.has(INT64.name) && types.has(FLOAT64.name)) return `list<${FLOAT64.name}>`;
  const [type] = types;
  return types.size === 1 && type !== undefined ? `list<${type}>` : "json";
}

/** Undefined for objects and arrays. */
function scalarType(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? INT64.name : FLOAT64.name;
  return typeof value === "string" || typeof value === "boolean" ? typeof value : undefined;
}

function parsed(cells: readonly string[]): unknown[] {
  return cells.flatMap((cell): unknown[] => {
    try {
      return cell === "" ? [] : [JSON.parse(cell)];
    } catch {
      return [];
    }
  });
}

/** The leaves of some objects, in order of appearance; undefined if there are too many or none. */
function findMembers(name: string, objects: readonly unknown[]): MemberFound[] | undefined {
  const leaves = new Map<string, Leaf>();
  for (const object of objects.slice(0, OBJECTS_LOOKED_AT)) gather(object, { name, at: "" }, 1, leaves);
  if (leaves.size === 0 || leaves.size > MEMBERS_MAX) return undefined;
  const names = new Set([...leaves.values()].map((leaf) => leaf.name.toLowerCase()));
  if (names.size < leaves.size) return undefined;
  return [...leaves.values()].map(memberOf);
}

interface Leaf {
  name: string;
  at: string;
  values: unknown[];
}

function gather(value: unknown, { name, at }: Pick<Leaf, "name" | "at">, depth: number, leaves: Map<string, Leaf>) {
  if (leaves.size > MEMBERS_MAX) return;
  for (const [key, member] of Object.entries(value as object)) {
    const place = { name: `${name}_${key}`, at: at + pointerTo(key) };
    const isObject = typeof member === "object" && member !== null && !Array.isArray(member);
    if (isObject && depth < DEPTH_MAX) gather(member, place, depth + 1, leaves);
    else {
      const leaf = leaves.get(place.at) ?? { ...place, values: [] };
      leaves.set(place.at, leaf);
      if (member !== null) leaf.values.push(member);
    }
  }
}

function memberOf({ name, at, values }: Leaf): MemberFound {
  const types = new Set(values.map((value) => scalarType(value) ?? "json"));
  const isNumber = [...types].every((type) => type === INT64.name || type === FLOAT64.name);
  const [first = "string"] = types;
  const type = types.size <= 1 ? first : isNumber ? FLOAT64.name : "json";
  const cells = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  const found = type === "string" ? inspectColumn(name, cells) : { ...plainColumn(name, cells), type };
  return { at, type, column: { ...found, why: `member ${at} in JSON` } };
}
