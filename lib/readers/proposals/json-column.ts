import { isLosslessNumber, parse, stringify } from "lossless-json";
import { pointerTo } from "@/lib/engine/grammar/grammar-faults";
import type { StagedColumn } from "@/lib/readers/staged-source";
import { ITEM_RULES, JSON_NUMBER_RULES, JSON_STRING_RULES } from "@/lib/readers/typed/cell-types";
import type { ColumnFound, MemberFound } from "./column-found";
import { inspectColumns, plainTypeOf, type Surroundings } from "./columns";

const OBJECTS_LOOKED_AT = 200;
const DEPTH_MAX = 3;
/** Objects with more members are more likely maps than records. */
const MEMBERS_MAX = 20;

/**
 * What a column of JSON cells is. Strings carry a mark and are examined as text, but digits in quotes are a string, as
 * in publishing; other values have types of their own. Null is a missing member.
 */
export function inspectJsonColumn(
  { name, kinds = [] }: StagedColumn,
  cells: readonly (string | null)[],
  around: Surroundings = { rowOf: (at) => at + 1 },
): ColumnFound {
  const [kind] = kinds;
  if (kinds.length === 1 && kind === "string") {
    const texts = cells.map((cell) => cell?.slice(1) ?? null);
    return stringColumn(name, texts, around);
  }
  const values = kinds.length === 1 && (kind === "object" || kind === "array") ? parsed(cells) : [];
  const isRounded = kind === "object" && !values.every(isKept);
  const members = kind === "object" && !isRounded ? findMembers(name, values, around) : undefined;
  const why = kinds.length === 0 ? "no value" : `${kinds.join(" and ")} in JSON`;
  return {
    ...plainColumn(name, cells, around),
    ...{ type: typeOf(kinds, cells, values), why, ...(members && { members }) },
    warnings: isRounded ? [`${JSON.stringify(name)}: ${ROUNDED}`] : [],
  };
}

const ROUNDED =
  "the step flatten would round numbers in these objects, so they stay JSON. Read them with the reader's fields.";

function stringColumn(name: string, cells: readonly (string | null)[], around: Surroundings): ColumnFound {
  const [found] = inspectColumns([{ name, cells, rules: JSON_STRING_RULES }], around);
  if (!found) throw new Error("A column is inspected");
  return found;
}

/** Counts and examples of cells that need no parsing. */
function plainColumn(name: string, cells: readonly (string | null)[], around: Surroundings): ColumnFound {
  const { name: own, distinct, examples, nulls } = stringColumn(name, cells, around);
  return { name: own, type: "json", why: "", isText: false, tokens: [], distinct, examples, nulls, warnings: [] };
}

function typeOf(kinds: readonly string[], cells: readonly (string | null)[], values: readonly unknown[]): string {
  if (kinds.length === 0) return "string";
  if (kinds.length > 1) return "json";
  switch (kinds[0]) {
    case "number":
      return (
        plainTypeOf(
          JSON_NUMBER_RULES,
          cells.filter((cell) => cell !== null),
        ) ?? "json"
      );
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
  const type = scalarType(items.filter((item) => item !== null));
  return type === undefined ? "json" : `list<${type}>`;
}

/** The type of values of one kind. Undefined for other values, and for numbers that a list or a member would round. */
function scalarType(values: readonly unknown[]): string | undefined {
  const kinds = new Set(values.map((value) => (isLosslessNumber(value) ? "number" : typeof value)));
  const [kind] = kinds;
  if (kinds.size !== 1 || kind === "object") return undefined;
  if (kind !== "number") return kind;
  return plainTypeOf(ITEM_RULES, values.map(String));
}

/** Whether a step keeps all numbers within a value: DuckDB's JSON functions read them as doubles and integers. */
function isKept(value: unknown): boolean {
  if (isLosslessNumber(value)) return ITEM_RULES.some((rule) => rule.holds(value.value));
  return typeof value !== "object" || value === null || Object.values(value).every(isKept);
}

function parsed(cells: readonly (string | null)[]): unknown[] {
  return cells.flatMap((cell): unknown[] => {
    try {
      return cell === null ? [] : [parse(cell)];
    } catch {
      return [];
    }
  });
}

/** The leaves of some objects, in order of appearance; undefined if there are too many or none. */
function findMembers(name: string, objects: readonly unknown[], around: Surroundings): MemberFound[] | undefined {
  const leaves = new Map<string, Leaf>();
  for (const object of objects.slice(0, OBJECTS_LOOKED_AT)) gather(object, { name, at: "" }, 1, leaves);
  if (leaves.size === 0 || leaves.size > MEMBERS_MAX) return undefined;
  const names = new Set([...leaves.values()].map((leaf) => leaf.name.toLowerCase()));
  if (names.size < leaves.size) return undefined;
  return [...leaves.values()].map((leaf) => memberOf(leaf, around));
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
    const isObject = isRecord(member);
    if (isObject && depth < DEPTH_MAX) gather(member, place, depth + 1, leaves);
    else {
      const leaf = leaves.get(place.at) ?? { ...place, values: [] };
      leaves.set(place.at, leaf);
      if (member !== null) leaf.values.push(member);
    }
  }
}

const isRecord = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isLosslessNumber(value);

function memberOf({ name, at, values }: Leaf, around: Surroundings): MemberFound {
  const type = values.length === 0 ? "string" : (scalarType(values) ?? "json");
  const cells = values.map((value) => (typeof value === "string" ? value : (stringify(value) ?? null)));
  const found = type === "string" ? stringColumn(name, cells, around) : { ...plainColumn(name, cells, around), type };
  return { at, type, column: { ...found, why: `member ${at} in JSON` } };
}
