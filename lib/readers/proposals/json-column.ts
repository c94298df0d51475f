import { pointerTo } from "@/lib/engine/grammar/grammar-faults";
import { JsonFault, type JsonKind, type JsonValue, readItems, readMembers } from "@/lib/readers/json/json-members";
import type { StagedColumn } from "@/lib/readers/staged-source";
import { type ColumnFound, inspectColumn } from "./columns";
import { isDouble, numberType } from "./json-numbers";

/** A member of a column's objects, as `fields` of the step flatten takes it. */
export interface MemberFound {
  /** JSON Pointer. */
  at: string;
  /** The type that flatten gives it. A step may parse it further, as `column` says. */
  type: string;
  column: ColumnFound;
}

const DEPTH_MAX = 3;
/** Objects with more members are more likely maps than records. */
const MEMBERS_MAX = 20;

/**
 * What a column of JSON cells is. Strings carry a mark and are examined as text; other values have types of their own,
 * which `type` names if a run's rules have decided it.
 */
export function inspectJsonColumn(
  { name, kinds = [], items = [] }: StagedColumn,
  cells: readonly string[],
  type?: string,
): ColumnFound {
  const [kind] = kinds;
  if (kinds.length === 1 && kind === "string")
    return inspectColumn(
      name,
      cells.map((cell) => cell.slice(1)),
    );
  const members = kinds.length === 1 && kind === "object" ? findMembers(name, cells) : undefined;
  const why = kinds.length === 0 ? "no value" : `${kinds.join(" and ")} in JSON`;
  return { ...plainColumn(name, cells), type: type ?? typeOf(kinds, items, cells), why, ...(members && { members }) };
}

/** Counts and examples of cells that need no parsing. */
function plainColumn(name: string, cells: readonly string[]): ColumnFound {
  const { number: _, date: __, spellings: ___, ...found } = inspectColumn(name, cells);
  return { ...found, isText: false, others: 0, nullTokens: [] };
}

function typeOf(kinds: readonly JsonKind[], items: readonly JsonKind[], cells: readonly string[]): string {
  if (kinds.length === 0) return "string";
  const [kind] = kinds;
  if (kinds.length > 1 || kind === undefined) return "json";
  const filled = cells.filter((cell) => cell !== "");
  return kind === "array" ? listType(items, filled) : scalarType(kind, filled);
}

/** The type by the items of all arrays: a list if they have the same type. */
function listType(kinds: readonly JsonKind[], arrays: readonly string[]): string {
  const [kind, ...others] = kinds.filter((each) => each !== "null");
  if (kind === undefined || others.length > 0) return "json";
  const texts = arrays.flatMap((array) => readItems(array).flatMap((item) => (item.kind === kind ? [item.text] : [])));
  const type = scalarType(kind, texts);
  return type === "json" ? "json" : `list<${type}>`;
}

function scalarType(kind: JsonKind, texts: readonly string[]): string {
  if (kind === "number") return numberType(texts);
  return kind === "string" || kind === "boolean" ? kind : "json";
}

interface Leaf {
  name: string;
  at: string;
  values: JsonValue[];
}

/**
 * The leaves of objects, in order of appearance. Undefined if there are none or too many, if a value is an object in
 * some records and not in others, if a key is duplicated, or if flatten, for which DuckDB reads the numbers, would
 * round one.
 */
function findMembers(name: string, cells: readonly string[]): MemberFound[] | undefined {
  try {
    return leavesOf(name, cells);
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
}

function leavesOf(name: string, cells: readonly string[]): MemberFound[] | undefined {
  const leaves = new Map<string, Leaf>();
  const opened = new Set<string>();
  for (const cell of cells) if (cell !== "") gather(cell, { name, at: "" }, { leaves, opened });
  const found = [...leaves.values()].filter(({ at, values }) => values.length > 0 || !opened.has(at));
  if (found.length === 0 || found.length > MEMBERS_MAX) return undefined;
  if (found.some(({ at, values }) => opened.has(at) || values.some(losesDigits))) return undefined;
  const names = new Set(found.map((leaf) => leaf.name.toLowerCase()));
  return names.size < found.length ? undefined : found.map(memberOf);
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
    const place = { name: `${name}_${key}`, at: at + pointerTo(key) };
    if (member.kind === "object" && depth < DEPTH_MAX) gather(member.text, place, gathered, depth + 1);
    else {
      const leaf = leaves.get(place.at) ?? { ...place, values: [] };
      leaves.set(place.at, leaf);
      if (member.kind !== "null") leaf.values.push(member);
    }
  }
}

/** Whether DuckDB's functions would print another number. They drop the sign of the integer -0. */
function losesDigits({ kind, text }: JsonValue): boolean {
  if (kind === "number") return text === "-0" || !(isDouble(text) || /^-?\d+$/.test(text));
  if (kind === "array") return readItems(text).some(losesDigits);
  return kind === "object" && readMembers(text).some(losesDigits);
}

function memberOf({ name, at, values }: Leaf): MemberFound {
  const kinds = [...new Set(values.map(({ kind }) => kind))];
  const texts = values.map(({ text }) => text);
  const type = kinds.length === 0 ? "string" : kinds.length > 1 ? "json" : scalarType(kinds[0] ?? "null", texts);
  const found = type === "string" ? inspectColumn(name, texts) : { ...plainColumn(name, texts), type };
  return { at, type, column: { ...found, why: `member ${at} in JSON` } };
}
