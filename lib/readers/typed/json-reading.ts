import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import type { Bench } from "@/lib/readers/bench";
import { CellsFile } from "@/lib/readers/cells-file";
import type { SourceFile } from "@/lib/readers/containers/source-file";
import { mismatch } from "@/lib/readers/failure";
import { JsonColumns } from "@/lib/readers/json/json-cells";
import { shownStart } from "@/lib/readers/json/json-members";
import { jsonTexts } from "@/lib/readers/json/json-texts";
import { readJson as readDocument, readNdjson } from "@/lib/readers/json/read-json";
import { findRecords } from "@/lib/readers/proposals/find-records";
import type { StagedColumn } from "@/lib/readers/staged-source";
import { READER_OPTIONS } from "@/lib/schemas/recipe-reader";
import {
  type CellRule,
  JSON_BOOLEAN_RULES,
  JSON_NUMBER_RULES,
  JSON_RULE,
  JSON_STRING_RULES,
  jsonArrayRules,
  STRING_RULE,
} from "./cell-types";
import { checkNames, checkNotes } from "./column-names";
import { CELL_NUMBERS, cellsLayout, csvRelation } from "./csv-reading";
import { noteOf, type Reading } from "./reading";
import { currentFirst, declaredText, type Expected, readText, ruleOfNote, type TextColumn } from "./text-reading";

const CHUNK_BYTES = 1 << 20;
/** Two items, or one at a place where records usually are. */
const ENVELOPE_SCORE = 2;

/**
 * Plans the reading of one array of objects, or of objects one after another, as recipes read them. DuckDB's reader
 * rounds long numbers and infers types from a sample, so each value's own text is written out first: columns in order
 * of appearance, a missing member as null.
 */
export async function readJson(
  bench: Bench,
  { path, format }: SourceFile,
  { notes, orderBy, types }: Expected,
): Promise<Reading> {
  const target = join(bench.folder, "cells.csv");
  const columns = new JsonColumns([], { isFilled: true });
  const { rows, longestBytes } = await layOut(path, target, columns);
  columns.refuseNone(rows);
  if (format === "json" && rows === 1) await refuseEnvelope(path);
  const names = columns.names();
  checkNames(names);
  checkNotes(notes, orderBy, names);
  const texts = columns
    .staged()
    .map((column, at) =>
      textColumn(column, `t${at + CELL_NUMBERS}`, ruleOfNote(noteOf(notes, column.name)), types.get(column.name)),
    );
  const relation = csvRelation(cellsLayout(target, names.length, longestBytes, columns.isRagged));
  return await readText(bench, relation, texts, rows);
}

async function layOut(path: string, target: string, columns: JsonColumns): Promise<CellsFile> {
  const texts = () => jsonTexts({ path, chunkBytes: CHUNK_BYTES, isCut: false });
  const cells = new CellsFile(target);
  const reading = { texts, columns, cells, mayContinue: () => true };
  try {
    if (await beginsList(texts())) await readDocument(READER_OPTIONS.json.parse({}), reading);
    else await readNdjson(READER_OPTIONS.ndjson.parse({}), reading);
  } finally {
    cells.close();
  }
  return cells;
}

/** Rejects a document that is not a record but has records inside: one row of JSON is not what it says. */
async function refuseEnvelope(path: string): Promise<void> {
  const text = (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
  if (text.trimStart().startsWith("[")) return;
  const document: unknown = JSON.parse(text);
  const [found] = findRecords(document).filter(({ score }) => score >= ENVELOPE_SCORE);
  if (!found) {
    refuseError(text, document as object);
    return;
  }
  const pointer = JSON.stringify(found.pointer);
  const where = found.pointer === "" ? "in its members" : `at ${pointer}`;
  throw mismatch(
    `The file is one object, and its records seem to be ${where} (${found.items} items). Publish an array of ` +
      `objects, or read the file by a recipe${found.pointer === "" ? "" : ` with records ${pointer}`}. ` +
      "To publish the object itself as one row, put it into an array.",
  );
}

function refuseError(text: string, document: object): void {
  if (Object.keys(document).some((name) => /^errors?$/i.test(name)))
    throw mismatch(
      `The file seems to be an error instead of data: ${shownStart(text.trim())}. To publish it as one row, put ` +
        "it into an array.",
    );
}

async function beginsList(texts: AsyncIterable<string>): Promise<boolean> {
  for await (const text of texts) {
    const start = text.trimStart();
    if (start !== "") return start.startsWith("[");
  }
  throw mismatch("The file contains no JSON object.");
}

/** Strings are marked with `s`, so that "12" and 12, and "" and null, remain distinct. */
function textColumn(
  { name, kinds = [], items = [] }: StagedColumn,
  cell: string,
  declared: CellRule | undefined,
  current: string | undefined,
): TextColumn {
  const plain = `CASE WHEN starts_with(${cell}, 's') THEN substr(${cell}, 2) ELSE ${cell} END`;
  const json = `CASE WHEN starts_with(${cell}, 's') THEN to_json(substr(${cell}, 2))::VARCHAR ELSE ${cell} END`;
  if (declared)
    return {
      name,
      text: `(${columnTypeOf(declared).json.kind === "any" ? json : declaredText(plain, declared)})`,
      rules: [declared],
    };
  const only = kinds.length === 1 ? kinds[0] : undefined;
  if (kinds.length === 0) return { name, text: cell, rules: [STRING_RULE] };
  if (only === "string") return { name, text: `substr(${cell}, 2)`, rules: currentFirst(current, JSON_STRING_RULES) };
  if (only === "number") return { name, text: cell, rules: currentFirst(unlessString(current), JSON_NUMBER_RULES) };
  if (only === "boolean") return { name, text: cell, rules: currentFirst(unlessString(current), JSON_BOOLEAN_RULES) };
  if (only === "array")
    return { name, text: cell, rules: currentFirst(unlessString(current), jsonArrayRules(new Set(items))) };
  return { name, text: `(${json})`, rules: [JSON_RULE] };
}

/** A value that JSON does not quote is not a string, whatever the column's earlier type. */
const unlessString = (type: string | undefined) => (type === "string" ? undefined : type);
