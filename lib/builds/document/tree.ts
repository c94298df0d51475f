import { LosslessNumber } from "lossless-json";
import { type Document, isAlias, isMap, isPair, isScalar, isSeq, parseDocument, type YAMLMap } from "yaml";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { fail } from "@/lib/kernel/errors";

/** Maximum size of a document's text, JSON or YAML, in bytes. */
export const RECIPE_TEXT_MAX = 64 * 1024;
const DEPTH_MAX = 32;
const ALIASES_MAX = 20;
const NODES_MAX = 50_000;

/**
 * Reads JSON or YAML into the same kind of tree: numbers are LosslessNumber, with their digits. Throws `invalid_json`.
 */
export function readTree(text: string): unknown {
  if (Buffer.byteLength(text) > RECIPE_TEXT_MAX)
    throw fail("request_too_large", {
      message: `Recipe too large: ${Buffer.byteLength(text)} bytes. Send at most 64 KiB.`,
    });
  return /^\s*\{/.test(text) ? parseJsonBody(text) : readYaml(text);
}

function readYaml(text: string): unknown {
  const document = parsed(text);
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) {
    const [message = ""] = problem.message.split("\n");
    throw invalid(`Line ${lineAt(text, problem.pos[0])}: ${message.slice(0, 300).replace(/:$/, "")}`);
  }
  return treeOf(document.contents, { text, document, nodes: 0, aliases: 0 }, 0);
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** Bounds nesting first: the parser recurses, and a hostile document may have thousands of levels. */
function parsed(text: string): Document {
  if (/(?:[[{]\s*){33}/.test(text)) throw invalid(`It is nested too deeply (maximum ${DEPTH_MAX} levels)`);
  try {
    return parseDocument(text, {
      schema: "core",
      uniqueKeys: false, // the parser compares each key with all others: see mapOf
      merge: false,
      prettyErrors: false,
      stringKeys: false,
    });
  } catch (cause) {
    throw fail("invalid_json", { message: "The document cannot be read as YAML.", cause });
  }
}

interface Reading {
  text: string;
  document: Document;
  nodes: number;
  aliases: number;
}

function treeOf(node: unknown, reading: Reading, depth: number): unknown {
  reading.nodes += 1;
  if (depth > DEPTH_MAX) throw invalid(`It is nested too deeply (maximum ${DEPTH_MAX} levels)`);
  if (reading.nodes > NODES_MAX) throw invalid("It is too large once its aliases are filled in");
  if (isAlias(node)) {
    reading.aliases += 1;
    if (reading.aliases > ALIASES_MAX) throw invalid(`It has more than ${ALIASES_MAX} aliases`);
    return treeOf(node.resolve(reading.document), reading, depth + 1);
  }
  if (isMap(node)) return mapOf(node, reading, depth);
  if (isSeq(node)) return node.items.map((item) => treeOf(item, reading, depth + 1));
  return isScalar(node) ? scalarOf(node) : null;
}

function mapOf(map: YAMLMap, reading: Reading, depth: number): Record<string, unknown> {
  const members = new Map<string, unknown>();
  for (const { key, value } of map.items.filter(isPair)) {
    const name = keyOf(key);
    if (members.has(name)) throw invalid(`Line ${lineOf(key, reading)}: Map keys must be unique`);
    members.set(name, treeOf(value, reading, depth + 1));
  }
  return Object.fromEntries(members);
}

const lineOf = (key: unknown, { text }: Reading): number => lineAt(text, isScalar(key) ? (key.range?.[0] ?? 0) : 0);

/** Keys are strings, including those that look like numbers. */
function keyOf(key: unknown): string {
  if (isScalar(key)) return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
  throw invalid("A key must be a string");
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function scalarOf(node: { value: unknown; source?: string | undefined }): unknown {
  if (typeof node.value !== "number" && typeof node.value !== "bigint") return node.value;
  const source = node.source ?? String(node.value);
  if (JSON_NUMBER.test(source)) return new LosslessNumber(source);
  throw invalid(`Invalid number: ${source.slice(0, 40)}. Write it in decimal digits, or in quotes if it is a string`);
}

const invalid = (problem: string) =>
  fail("invalid_json", { message: `The document is not a valid recipe text. ${problem}.` });
