import { open } from "node:fs/promises";
import { join } from "node:path";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import type { Bench } from "@/lib/readers/bench";
import { itemKinds, type JsonKind, type JsonMember, readMembers } from "@/lib/readers/json/json-members";
import { readRecords } from "@/lib/readers/json/json-records";
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
import { csvRelation } from "./csv-reading";
import { noteOf, type Reading } from "./reading";
import { declaredText, type Expected, keptFirst, readText, ruleOfNote, type TextColumn } from "./text-reading";

/** The kinds of a column's values, over all rows. */
interface SeenColumn {
  name: string;
  index: number;
  kinds: Set<JsonKind>;
  items: Set<JsonKind>;
}

interface Cells {
  path: string;
  columns: SeenColumn[];
  rows: number;
  longestBytes: number;
  /** Whether columns first appeared after the first row, so that earlier rows are shorter. */
  isRagged: boolean;
}

/** Begins every line, because a line without text would not count as a row. */
const ROW_MARK = "r";
/** Maximum number of bytes of a UTF-16 code unit. */
const UTF8_BYTES_MAX = 3;
const FLUSH_CHARACTERS = 1 << 20;

/**
 * Plans the reading of JSON or NDJSON. DuckDB's reader rounds long numbers and infers types from a sample, so each
 * value's own text is written out first: columns in order of appearance, a missing member as null.
 */
export async function readJson(bench: Bench, path: string, { notes, orderBy, types }: Expected): Promise<Reading> {
  const cells = await layOut(path, join(bench.folder, "cells.csv"));
  const names = cells.columns.map((column) => column.name);
  checkNames(names);
  checkNotes(notes, orderBy, names);
  const columns = cells.columns.map((column) =>
    textColumn(column, ruleOfNote(noteOf(notes, column.name)), types.get(column.name)),
  );
  const { longestBytes, isRagged } = cells;
  const relation = csvRelation({
    path: cells.path,
    delimiter: ",",
    width: columns.length + 1,
    longestBytes,
    lineEnd: "LF",
    isHeaded: false,
    isPadded: isRagged,
  });
  return await readText(bench, relation, columns, cells.rows);
}

/** Strings are marked with `s`, so that "12" and 12, and "" and null, remain distinct. */
function textColumn(
  { name, index, kinds, items }: SeenColumn,
  declared: CellRule | undefined,
  kept: string | undefined,
): TextColumn {
  const cell = `t${index}`;
  const plain = `CASE WHEN starts_with(${cell}, 's') THEN substr(${cell}, 2) ELSE ${cell} END`;
  const json = `CASE WHEN starts_with(${cell}, 's') THEN to_json(substr(${cell}, 2))::VARCHAR ELSE ${cell} END`;
  if (declared)
    return {
      name,
      text: `(${columnTypeOf(declared).json.kind === "any" ? json : declaredText(plain, declared)})`,
      rules: [declared],
    };
  const only = kinds.size === 1 ? [...kinds][0] : undefined;
  if (kinds.size === 0) return { name, text: cell, rules: [STRING_RULE] };
  if (only === "string") return { name, text: `substr(${cell}, 2)`, rules: keptFirst(kept, JSON_STRING_RULES) };
  if (only === "number") return { name, text: cell, rules: keptFirst(unlessString(kept), JSON_NUMBER_RULES) };
  if (only === "boolean") return { name, text: cell, rules: keptFirst(unlessString(kept), JSON_BOOLEAN_RULES) };
  if (only === "array") return { name, text: cell, rules: keptFirst(unlessString(kept), jsonArrayRules(items)) };
  return { name, text: `(${json})`, rules: [JSON_RULE] };
}

/** A value that JSON does not quote is not a string, whatever the column's earlier type. */
const unlessString = (type: string | undefined) => (type === "string" ? undefined : type);

async function layOut(source: string, path: string): Promise<Cells> {
  const seen = new Map<string, SeenColumn>();
  const file = await open(path, "w");
  let [rows, longestBytes, firstWidth, pending] = [0, 0, 0, ""];
  try {
    for await (const record of readRecords(source)) {
      const row = rowText(readMembers(record), seen);
      longestBytes = Math.max(longestBytes, row.length * UTF8_BYTES_MAX);
      pending += `${row}\n`;
      rows += 1;
      if (rows === 1) firstWidth = seen.size;
      if (pending.length < FLUSH_CHARACTERS) continue;
      await file.write(pending);
      pending = "";
    }
    await file.write(pending);
  } finally {
    await file.close();
  }
  return { path, columns: [...seen.values()], rows, longestBytes, isRagged: seen.size !== firstWidth };
}

function rowText(members: readonly JsonMember[], seen: Map<string, SeenColumn>): string {
  for (const member of members) note(member, seen);
  const cells = new Array<string>(seen.size + 1).fill("");
  cells[0] = ROW_MARK;
  for (const member of members) cells[seen.get(member.name)?.index ?? 0] = cellText(member);
  return cells.join(",");
}

function note({ name, kind, text }: JsonMember, seen: Map<string, SeenColumn>): void {
  const column = seen.get(name) ?? { name, index: seen.size + 1, kinds: new Set(), items: new Set() };
  seen.set(name, column);
  if (kind !== "null") column.kinds.add(kind);
  if (kind === "array") for (const item of itemKinds(text)) column.items.add(item);
}

function cellText({ kind, text }: JsonMember): string {
  if (kind === "null") return "";
  if (kind === "number" || kind === "boolean") return text;
  return `"${(kind === "string" ? `s${text}` : text).replaceAll('"', '""')}"`;
}
