import { mismatch } from "@/lib/readers/failure";
import type { JsonRecord } from "./json-records";

export type JsonKind = "string" | "number" | "boolean" | "array" | "object" | "null";

export interface JsonMember {
  name: string;
  kind: JsonKind;
  /** The value's own text with every digit, without surrounding spaces; for a string, its characters. */
  text: string;
}

const KINDS: Readonly<Record<string, JsonKind>> = {
  '"': "string",
  "[": "array",
  "{": "object",
  t: "boolean",
  f: "boolean",
  n: "null",
};

/** The members of an object in order. Rejects invalid JSON, duplicate names, and unpaired surrogates. */
export function readMembers(record: JsonRecord): JsonMember[] {
  const values = parseRecord(record);
  const slices = sliceMembers(record.text);
  const names = new Set<string>();
  return slices.map(({ key, raw }) => {
    const name = JSON.parse(key) as string;
    if (names.has(name))
      throw mismatch(`Line ${record.line}: the object that starts here has a duplicate key ${JSON.stringify(name)}.`);
    names.add(name);
    const kind = KINDS[raw[0] ?? ""] ?? "number";
    const text = kind === "string" ? String(values[name]) : withoutBlanks(raw);
    if (/\p{Surrogate}/u.test(text))
      throw mismatch(
        `Line ${record.line}, ${JSON.stringify(name)}: the text contains an unpaired surrogate, which UTF-8 cannot ` +
          `encode.`,
      );
    return { name, kind, text };
  });
}

/** The items of an array that is known to be JSON, each with its own text; for strings, their characters. */
export function readItems(text: string): Omit<JsonMember, "name">[] {
  const items: Omit<JsonMember, "name">[] = [];
  let at = skipBlanks(text, 1);
  while (at < text.length && text[at] !== "]") {
    const end = endOfValue(text, at);
    const raw = text.slice(at, end);
    const kind = KINDS[raw[0] ?? ""] ?? "number";
    items.push({ kind, text: kind === "string" ? (JSON.parse(raw) as string) : withoutBlanks(raw) });
    at = skipBlanks(text, skipBlanks(text, end) + 1);
  }
  return items;
}

/** The kinds of an array's items. */
export function itemKinds(text: string): JsonKind[] {
  return (JSON.parse(text) as unknown[]).map((item) => {
    if (item === null) return "null";
    return Array.isArray(item) ? "array" : (typeof item as JsonKind);
  });
}

function parseRecord({ text, line }: JsonRecord): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw mismatch(
      `Line ${line}: the object that starts here is not valid JSON. ` +
        `${error instanceof Error ? error.message : "it cannot be parsed"}.`,
    );
  }
}

const withoutBlanks = (raw: string): string => (/\s/.test(raw) ? raw.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1") : raw);

/**
 * Splits an object that is known to be valid JSON at its own commas and colons; JSON.parse alone would round long
 * numbers.
 */
function sliceMembers(text: string): { key: string; raw: string }[] {
  const members: { key: string; raw: string }[] = [];
  let at = skipBlanks(text, 1);
  while (text[at] === '"') {
    const keyEnd = endOfValue(text, at);
    const start = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
    const end = endOfValue(text, start);
    members.push({ key: text.slice(at, keyEnd), raw: text.slice(start, end) });
    at = skipBlanks(text, skipBlanks(text, end) + 1);
  }
  return members;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 0x20) at += 1;
  return at;
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  if (text[start] !== "{" && text[start] !== "[") return endOfScalar(text, start);
  let depth = 0;
  let at = start;
  do {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    at += 1;
  } while (depth > 0);
  return at;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function endOfScalar(text: string, start: number): number {
  let at = start;
  while (at < text.length && !",}] \t\r\n".includes(text[at] ?? "")) at += 1;
  return at;
}
