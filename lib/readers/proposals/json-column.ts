import { pointerTo } from "@/lib/engine/grammar/pointer";
import { JsonFault, type JsonKind, type JsonValue, readItems, readMembers } from "@/lib/readers/json/json-members";
import type { StagedColumn } from "@/lib/readers/staged-source";
import {
  FLOAT_RULE,
  ITEM_RULES,
  JSON_NUMBER_RULES,
  JSON_RULE,
  JSON_STRING_RULES,
} from "@/lib/readers/typed/cell-types";
import type { ColumnFound, MemberFound, Surroundings } from "./column-found";
import { inspectColumns, plainTypeOf } from "./columns";

const DEPTH_MAX = 3;
/** Objects with more members are more likely maps than records. */
const MEMBERS_MAX = 20;

/**
 * What a column of JSON cells is. Strings carry a mark and are examined as text, but digits in quotes are a string, as
 * in publishing; other values have types of their own, which `type` names if a run's rules have decided it. Null is a
 * missing member.
 */
export function inspectJsonColumn(
  { name, kinds = [], items = [] }: StagedColumn,
  cells: readonly (string | null)[],
  around: Surroundings = { rowOf: (at) => at + 1 },
  type?: string,
): ColumnFound {
  const [kind] = kinds;
  if (kinds.length === 1 && kind === "string")
    return stringColumn(
      name,
      cells.map((cell) => cell?.slice(1) ?? null),
      around,
    );
  const filled = cells.filter((cell) => cell !== null);
  const isObjects = kinds.length === 1 && kind === "object";
  const isRounded = isObjects && filled.some(isRoundedObject);
  const members = isObjects && !isRounded ? findMembers(name, filled, around) : undefined;
  return {
    ...plainColumn(name, cells, around),
    type: type ?? typeOf(kinds, items, filled),
    why: kinds.length === 0 ? "no value" : `${kinds.join(" and ")} in JSON`,
    ...(members && { members }),
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

function typeOf(kinds: readonly JsonKind[], items: readonly JsonKind[], filled: readonly string[]): string {
  if (kinds.length === 0) return "string";
  const [kind] = kinds;
  if (kinds.length > 1 || kind === undefined) return "json";
  if (kind === "number") return plainTypeOf(JSON_NUMBER_RULES, filled) ?? "json";
  return kind === "array" ? listType(items, filled) : scalarType(kind, filled);
}

/** The type by the items of all arrays: a list if they have the same type. */
function listType(kinds: readonly JsonKind[], arrays: readonly string[]): string {
  const [kind, ...others] = kinds.filter((each) => each !== "null");
  if (kind === undefined || others.length > 0) return "json";
  const texts = arrays.flatMap((array) => readItems(array).flatMap((item) => (item.kind === kind ? [item.text] : [])));
  const type = scalarType(kind, texts);
  return type === JSON_RULE.type ? type : `list<${type}>`;
}

/** The type of values of one kind. Numbers that a list or a member would round stay JSON. */
function scalarType(kind: JsonKind, texts: readonly string[]): string {
  if (kind === "number") return plainTypeOf(ITEM_RULES, texts) ?? "json";
  return kind === "string" || kind === "boolean" ? kind : "json";
}

interface Leaf {
  name: string;
  at: string;
  values: JsonValue[];
}

/**
 * The leaves of objects, in order of appearance. Undefined if there are none or too many, if a value is an object in
 * some records and not in others, or if a key is duplicated.
 */
function findMembers(name: string, objects: readonly string[], around: Surroundings): MemberFound[] | undefined {
  try {
    return leavesOf(name, objects, around);
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
}

function leavesOf(name: string, objects: readonly string[], around: Surroundings): MemberFound[] | undefined {
  const leaves = new Map<string, Leaf>();
  const opened = new Set<string>();
  for (const object of objects) gather(object, { name, at: "" }, { leaves, opened });
  const found = [...leaves.values()].filter(({ at, values }) => values.length > 0 || !opened.has(at));
  if (found.length === 0 || found.length > MEMBERS_MAX) return undefined;
  if (found.some(({ at }) => opened.has(at))) return undefined;
  const names = new Set(found.map((leaf) => leaf.name.toLowerCase()));
  return names.size < found.length ? undefined : found.map((leaf) => memberOf(leaf, around));
}

interface Gathered {
  leaves: Map<string, Leaf>;
  /** Places of objects whose members are leaves themselves. */
  opened: Set<string>;
}

function gather(object: string, { name, at }: Pick<Leaf, "name" | "at">, gathered: Gathered, depth = 1): void {
  const { leaves, opened } = gathered;
  if (leaves.size > MEMBERS_MAX) return;
  opened.add(at);
  for (const { name: key, ...member } of readMembers(object)) {
    const nested = { name: `${name}_${key}`, at: at + pointerTo(key) };
    if (member.kind === "object" && depth < DEPTH_MAX) gather(member.text, nested, gathered, depth + 1);
    else {
      const leaf = leaves.get(nested.at) ?? { ...nested, values: [] };
      leaves.set(nested.at, leaf);
      if (member.kind !== "null") leaf.values.push(member);
    }
  }
}

function isRoundedObject(text: string): boolean {
  try {
    return losesPrecision({ kind: "object", text });
  } catch (error) {
    if (error instanceof JsonFault) return false; // a duplicate key, for which nothing is proposed
    throw error;
  }
}

/** Whether DuckDB's functions would print another number. They drop the sign of the integer -0. */
function losesPrecision({ kind, text }: JsonValue): boolean {
  if (kind === "number") return text === "-0" || !(FLOAT_RULE.matches(text) || /^-?\d+$/.test(text));
  if (kind === "array") return readItems(text).some(losesPrecision);
  return kind === "object" && readMembers(text).some(losesPrecision);
}

function memberOf({ name, at, values }: Leaf, around: Surroundings): MemberFound {
  const kinds = [...new Set(values.map(({ kind }) => kind))];
  const texts = values.map(({ text }) => text);
  const type = kinds.length === 0 ? "string" : kinds.length > 1 ? "json" : scalarType(kinds[0] ?? "null", texts);
  const found = type === "string" ? stringColumn(name, texts, around) : { ...plainColumn(name, texts, around), type };
  return { at, type, column: { ...found, why: `member ${at} in JSON` } };
}
