import type { ReaderOptions } from "@/lib/schemas/recipe-reader";
import {
  JsonFault,
  type JsonMember,
  type JsonValue,
  readItems,
  readMembers,
  readValue,
  shownStart,
} from "./json-members";

export type JsonFields = Pick<ReaderOptions["json"], "fields" | "flatten">;

/** The members of a record: those that `fields` point to, or its own, flattened as deep as `flatten` says. */
export function recordMembers(raw: string, { fields, flatten }: JsonFields): JsonMember[] {
  if (fields) return pointedMembers(raw, fields);
  if (raw[0] !== "{") {
    readValue(raw);
    throw new JsonFault(
      `not an object: ${shownStart(raw)}. A recipe's reader can choose values with \`fields\`, or another place with ` +
        "`records`.",
    );
  }
  const members = readMembers(raw);
  return flatten ? flattened(members, flatten.depth, flatten.join) : members;
}

function flattened(members: readonly JsonMember[], depth: number, join: string): JsonMember[] {
  const flat = opened(members, depth, join);
  const names = new Set<string>();
  const twice = flat.find(({ name }) => names.size === names.add(name).size);
  if (twice) throw new JsonFault(`two members flatten to ${JSON.stringify(shownStart(twice.name))}.`);
  return flat;
}

function opened(members: readonly JsonMember[], depth: number, join: string): JsonMember[] {
  return members.flatMap((member) => {
    if (member.kind !== "object" || depth === 0) return [member];
    const inner = readMembers(member.text).map(({ name, ...rest }) => ({ ...rest, name: member.name + join + name }));
    return opened(inner, depth - 1, join);
  });
}

function pointedMembers(raw: string, fields: Readonly<Record<string, string>>): JsonMember[] {
  const root = raw[0] === "{" ? { kind: "object" as const, text: raw } : readValue(raw);
  const inside = new Map<string, JsonValue | undefined>([["", root]]);
  if (root.kind === "object") openInto(inside, "", root);
  return Object.entries(fields).flatMap(([name, pointer]) => {
    const value = valueAt(pointer, inside);
    return value ? [{ ...value, name }] : [];
  });
}

/** Caches values along the path, so that several fields of one object parse it only once. */
function valueAt(pointer: string, inside: Map<string, JsonValue | undefined>): JsonValue | undefined {
  if (inside.has(pointer)) return inside.get(pointer);
  const parentPointer = pointer.slice(0, pointer.lastIndexOf("/"));
  const parent = valueAt(parentPointer, inside);
  if (parent) openInto(inside, parentPointer, parent);
  if (!inside.has(pointer)) inside.set(pointer, undefined);
  return inside.get(pointer);
}

function openInto(inside: Map<string, JsonValue | undefined>, pointer: string, { kind, text }: JsonValue): void {
  if (kind === "object")
    for (const member of readMembers(text)) inside.set(`${pointer}/${escaped(member.name)}`, member);
  else if (kind === "array") for (const [at, item] of readItems(text).entries()) inside.set(`${pointer}/${at}`, item);
}

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** What an item of a list of names may be called by, if it is an object. */
const NAME_MEMBERS = ["name", "label", "title", "id", "field"] as const;

/** The columns' names in a list of strings, or of objects with names. */
export function columnNames(raw: string): string[] {
  if (raw[0] !== "[") throw new JsonFault(`not a list of column names: ${shownStart(raw)}.`);
  const names = readItems(raw).map((item) => {
    const named = item.kind === "object" ? nameOf(readMembers(item.text)) : item;
    if (named?.kind !== "string") throw new JsonFault(`not a column name: ${shownStart(item.text)}.`);
    return named.text;
  });
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new JsonFault(`two columns are called ${JSON.stringify(shownStart(twice))}.`);
  return names;
}

const nameOf = (members: readonly JsonMember[]): JsonMember | undefined =>
  NAME_MEMBERS.map((known) => members.find(({ name }) => name === known)).find((member) => member !== undefined);

/** The members of a record that is a list of values, in the order of the columns' names. */
export function rowMembers(raw: string, names: readonly string[]): JsonMember[] {
  if (raw[0] !== "[") throw new JsonFault(`not a list of values: ${shownStart(raw)}.`);
  const items = readItems(raw);
  if (items.length !== names.length)
    throw new JsonFault(`${items.length} values, but there are ${names.length} column names.`);
  return items.map((item, at) => Object.assign(item, { name: names[at] ?? "" }));
}
