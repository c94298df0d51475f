import { CLOSE, CLOSE_LIST, ESCAPE, endsScalar, OPEN, OPEN_LIST, QUOTE, SPACE } from "./json-grammar";

export type JsonKind = "string" | "number" | "boolean" | "array" | "object" | "null";

export interface JsonValue {
  kind: JsonKind;
  /** The value's own text with every digit, without blanks; for a string, its characters. */
  text: string;
  /** For an array: the kinds of its items. */
  items?: ReadonlySet<JsonKind>;
}

export interface JsonMember extends JsonValue {
  name: string;
}

/** What is wrong with a record or another value. Whoever knows where that is adds the place. */
export class JsonFault extends Error {}

const DEPTH_MAX = 512;
const SHOWN_CHARACTERS = 80;
const KINDS: Readonly<Record<string, JsonKind>> = {
  '"': "string",
  "[": "array",
  "{": "object",
  t: "boolean",
  f: "boolean",
  n: "null",
};
/** The start of a file's text, for messages: without control characters and halves of surrogate pairs. */
export function shownStart(text: string, most = SHOWN_CHARACTERS): string {
  const start = text.length > most ? `${text.slice(0, most)}…` : text;
  return start.toWellFormed().replace(/\p{Cc}/gu, " ");
}

/**
 * The members of an object in order, each with its own text, since JSON.parse alone would round long numbers. Throws a
 * `JsonFault` for invalid JSON, duplicate keys, and unpaired surrogates.
 */
export function readMembers(text: string): JsonMember[] {
  const values = parsed(text) as Record<string, unknown>;
  const names: string[] = [];
  const raws: string[] = [];
  let at = skipBlanks(text, 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = endOfString(text, at);
    const start = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
    const end = endOfValue(text, start);
    names.push(stringOf(text.slice(at, keyEnd)));
    raws.push(text.slice(start, end));
    at = skipBlanks(text, skipBlanks(text, end) + 1);
  }
  if (Object.keys(values).length < names.length) throw duplicateOf(names);
  return names.map((name, index) => {
    if (!name.isWellFormed()) throw surrogateFault(name);
    return Object.assign(taken(raws[index] ?? "", values[name], name), { name });
  });
}

/** The items of an array in order, each with its own text. Throws a `JsonFault` like `readMembers`. */
export function readItems(text: string): JsonValue[] {
  const values = parsed(text) as unknown[];
  const items: JsonValue[] = [];
  let at = skipBlanks(text, 1);
  for (let index = 0; index < values.length; index += 1) {
    const end = endOfValue(text, at);
    items.push(taken(text.slice(at, end), values[index], String(index)));
    at = skipBlanks(text, skipBlanks(text, end) + 1);
  }
  return items;
}

/** A value of any kind. Throws a `JsonFault` like `readMembers`. */
export function readValue(text: string): JsonValue {
  return taken(text, parsed(text), "");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new JsonFault(`not valid JSON (${shownStart(error instanceof Error ? error.message : "", 200)}).`);
  }
}

function taken(raw: string, value: unknown, name: string): JsonValue {
  const kind = KINDS[raw[0] ?? ""] ?? "number";
  if (kind === "string") {
    if (!(value as string).isWellFormed()) throw surrogateFault(name);
    return { kind, text: value as string };
  }
  if (kind !== "array" && kind !== "object") return { kind, text: raw };
  if (/\\ud[89a-f]/i.test(raw) && !isWellFormed(value)) throw surrogateFault(name);
  const text = withoutBlanks(raw);
  return kind === "array" ? { kind, text, items: new Set((value as unknown[]).map(kindOf)) } : { kind, text };
}

function kindOf(value: unknown): JsonKind {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as JsonKind);
}

/** `endOfValue` bounds the depth before. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormed(member));
}

const surrogateFault = (name: string): JsonFault =>
  new JsonFault(`${JSON.stringify(shownStart(name))} contains an unpaired surrogate, which UTF-8 cannot encode.`);

function duplicateOf(names: readonly string[]): JsonFault {
  const known = new Set<string>();
  const twice = names.find((name) => known.size === known.add(name).size) ?? "";
  return new JsonFault(`duplicate key ${JSON.stringify(shownStart(twice))}.`);
}

function stringOf(raw: string): string {
  return raw.includes("\\") ? (JSON.parse(raw) as string) : raw.slice(1, -1);
}

/** JSON without the blanks outside its strings. */
function withoutBlanks(raw: string): string {
  let [text, from] = ["", 0];
  for (let at = 0; at < raw.length; at += 1) {
    const code = raw.charCodeAt(at);
    if (code === QUOTE) at = endOfString(raw, at) - 1;
    else if (code <= SPACE) {
      text += raw.slice(from, at);
      from = at + 1;
    }
  }
  return from === 0 ? raw : text + raw.slice(from);
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= SPACE) at += 1;
  return at;
}

function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return endOfString(text, start);
  if (first !== OPEN && first !== OPEN_LIST) return endOfScalar(text, start);
  let depth = 0;
  let at = start;
  do {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === OPEN || code === OPEN_LIST) depth = deeper(depth);
    else if (code === CLOSE || code === CLOSE_LIST) depth -= 1;
    at += 1;
  } while (depth > 0);
  return at;
}

function deeper(depth: number): number {
  if (depth >= DEPTH_MAX) throw new JsonFault(`nested more than ${DEPTH_MAX} levels deep.`);
  return depth + 1;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) at += code === ESCAPE ? 2 : 1;
  return at + 1;
}

function endOfScalar(text: string, start: number): number {
  let at = start;
  for (let code = text.charCodeAt(at); at < text.length && !endsScalar(code); code = text.charCodeAt(at)) at += 1;
  return at;
}

/** Line feeds in a string. */
export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
