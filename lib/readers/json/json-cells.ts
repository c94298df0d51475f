import { COLUMNS_MAX } from "@/lib/readers/delimited/csv-records";
import { mismatch } from "@/lib/readers/failure";
import type { StagedColumn } from "@/lib/readers/staged-source";
import type { ReaderOptions } from "@/lib/schemas/recipe-reader";
import { itemKinds, type JsonMember, readItems, readMembers } from "./json-members";

export type JsonFields = Pick<ReaderOptions["json"], "fields" | "flatten">;

/** The columns of a JSON source in order of appearance, with the kinds of their values. */
export class JsonColumns {
  private readonly seen = new Map<string, { index: number; kinds: Set<string>; items: Set<string> }>();

  constructor(named: readonly string[]) {
    for (const name of named) this.column(name);
  }

  names(): readonly string[] {
    return [...this.seen.keys()];
  }

  /** A record's cells. They end with its last member, since further columns may still appear. */
  cells(members: readonly JsonMember[]): string {
    const cells: string[] = [];
    for (const { name, kind, text } of members) {
      const column = this.column(name);
      if (kind === "null") continue;
      column.kinds.add(kind);
      if (kind === "array") for (const item of itemKinds(text)) column.items.add(item);
      cells[column.index] = cellText(kind, text);
    }
    let line = "";
    for (let at = 0; at < cells.length; at += 1) line += `,${cells[at] ?? ""}`;
    return line;
  }

  staged(): StagedColumn[] {
    return [...this.seen].map(([name, { kinds, items }]) => {
      const column = { name, kinds: [...kinds] as NonNullable<StagedColumn["kinds"]> };
      return items.size > 0 ? { ...column, items: [...items] as NonNullable<StagedColumn["items"]> } : column;
    });
  }

  private column(name: string) {
    const known = this.seen.get(name);
    if (known) return known;
    if (this.seen.size >= COLUMNS_MAX)
      throw mismatch(`The records have more than ${COLUMNS_MAX} members. Choose them with \`fields\`.`);
    const column = { index: this.seen.size, kinds: new Set<string>(), items: new Set<string>() };
    this.seen.set(name, column);
    return column;
  }
}

function cellText(kind: JsonMember["kind"], text: string): string {
  if (kind === "number" || kind === "boolean") return text;
  return `"${(kind === "string" ? `s${text}` : text).replaceAll('"', '""')}"`;
}

/** The members of a record: those that `fields` point to, or its own, flattened as deep as `flatten` says. */
export function recordMembers(raw: string, row: number, { fields, flatten }: JsonFields): JsonMember[] {
  if (fields) return pointedMembers(raw, row, fields);
  if (raw[0] !== "{")
    throw mismatch(
      `Record ${row} is not an object: ${raw.slice(0, 80)}. Choose values with \`fields\`, or another pointer in ` +
        "`records`.",
      row,
    );
  const members = membersOf(raw, row);
  if (!flatten) return members;
  const flat = opened(members, row, flatten.depth, flatten.join);
  const names = new Set<string>();
  for (const { name } of flat) {
    if (names.has(name)) throw mismatch(`Record ${row} has two members that flatten to ${JSON.stringify(name)}.`, row);
    names.add(name);
  }
  return flat;
}

function opened(members: readonly JsonMember[], row: number, depth: number, join: string): JsonMember[] {
  return members.flatMap((member) => {
    if (member.kind !== "object" || depth === 0) return [member];
    const inner = membersOf(member.text, row).map(({ name, ...rest }) => ({
      ...rest,
      name: member.name + join + name,
    }));
    return opened(inner, row, depth - 1, join);
  });
}

function pointedMembers(raw: string, row: number, fields: Readonly<Record<string, string>>): JsonMember[] {
  const whole = { kind: rootKind(raw), text: raw };
  const inside = new Map<string, Omit<JsonMember, "name"> | undefined>([["", checked(whole, row)]]);
  return Object.entries(fields).flatMap(([name, pointer]) => {
    const value = valueAt(pointer, row, inside);
    return value ? [{ ...value, name }] : [];
  });
}

/** Caches values along the path, so that several fields of one object parse it only once. */
function valueAt(
  pointer: string,
  row: number,
  inside: Map<string, Omit<JsonMember, "name"> | undefined>,
): Omit<JsonMember, "name"> | undefined {
  if (inside.has(pointer)) return inside.get(pointer);
  const cut = pointer.lastIndexOf("/");
  const parentPointer = pointer.slice(0, cut);
  const parent = valueAt(parentPointer, row, inside);
  if (parent?.kind === "object")
    for (const member of membersOf(parent.text, row)) inside.set(`${parentPointer}/${escaped(member.name)}`, member);
  else if (parent?.kind === "array")
    for (const [index, item] of readItems(parent.text).entries()) inside.set(`${parentPointer}/${index}`, item);
  if (!inside.has(pointer)) inside.set(pointer, undefined);
  return inside.get(pointer);
}

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

const rootKind = (raw: string): JsonMember["kind"] => (raw[0] === "{" ? "object" : raw[0] === "[" ? "array" : "number");

function checked(value: Omit<JsonMember, "name">, row: number): Omit<JsonMember, "name"> {
  if (value.kind === "object") membersOf(value.text, row);
  else parsed(value.text, row);
  return value.kind === "number" ? scalar(value.text) : value;
}

function scalar(raw: string): Omit<JsonMember, "name"> {
  const value: unknown = JSON.parse(raw);
  if (value === null) return { kind: "null", text: raw };
  return typeof value === "string" ? { kind: "string", text: value } : { kind: typeof value as "number", text: raw };
}

function parsed(raw: string, row: number): void {
  try {
    JSON.parse(raw);
  } catch {
    throw mismatch(`Record ${row} is not valid JSON: ${raw.slice(0, 80)}.`, row);
  }
}

/** The members of an object in order, each with its own text. Failures name the record. */
export function membersOf(raw: string, row: number): JsonMember[] {
  try {
    return readMembers({ text: raw, line: row });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw mismatch(text.replace(`Line ${row}`, `Record ${row}`).replace(": the object that starts here", ""), row);
  }
}
