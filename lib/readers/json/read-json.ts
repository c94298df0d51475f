import type { CellsFile } from "@/lib/readers/cells-file";
import { mismatch } from "@/lib/readers/failure";
import type { ReaderOptions } from "@/lib/schemas/recipe-reader";
import { type JsonColumns, type JsonFields, membersOf, recordMembers } from "./json-cells";
import { type JsonMember, readItems } from "./json-members";
import { JsonScan } from "./json-scan";

export interface JsonReading {
  texts: AsyncIterable<string>;
  columns: JsonColumns;
  cells: CellsFile;
  /** False when no more is wanted. */
  mayContinue(): boolean;
}

/** Reads one JSON document's records into cells. Rows are numbered by their index, from 1. */
export async function readJson(options: ReaderOptions["json"], reading: JsonReading): Promise<void> {
  const { columns, cells, mayContinue } = reading;
  const wanted = options.shape === "array" ? "items" : options.shape === "map" ? "members" : "whole";
  const scan: JsonScan = new JsonScan(tokensOf(options.records), wanted, (raw, key) => {
    const row = scan.found;
    if (options.shape === "columns") return takeColumns(raw, reading);
    const members = recordMembers(raw, row, options);
    if (key !== null && options.key_column !== undefined)
      members.unshift(keyMember(key, options.key_column, members, row));
    cells.row(row, columns.cells(members));
    return mayContinue();
  });
  for await (const text of reading.texts) {
    const wantsMore = scan.push(text);
    if (!wantsMore) return;
  }
  scan.end();
  if (!scan.isAtTarget) refuseMissing(scan, options);
}

function refuseMissing(scan: JsonScan, { records, missing_records, shape }: ReaderOptions["json"]): void {
  if (scan.hasErrorMember) throw mismatch(`The source returned an error: ${scan.head}`);
  if (missing_records === "empty") return;
  const kind = shape === "array" ? "array" : "object";
  throw mismatch(
    `No ${kind} at ${records === "" ? "the root" : records}. The document begins: ${scan.head.slice(0, 200)}`,
  );
}

function keyMember(key: string, name: string, members: readonly JsonMember[], row: number): JsonMember {
  if (members.some((member) => member.name === name))
    throw mismatch(`Record ${row} has a member ${JSON.stringify(name)}, which is the name of key_column too.`, row);
  return { name, kind: "string", text: key };
}

/** `{a: [..], b: [..]}`: each array is a column. Held in memory, up to 64 MiB of text. */
function takeColumns(raw: string, { columns, cells, mayContinue }: JsonReading): boolean {
  if (raw[0] !== "{") throw mismatch(`Expected an object of arrays, found ${raw.slice(0, 80)}.`);
  const lists = membersOf(raw, 1).map(({ name, kind, text }) => {
    if (kind !== "array") throw mismatch(`The member ${JSON.stringify(name)} is not an array.`);
    return { name, items: readItems(text) };
  });
  const [first] = lists;
  const uneven = lists.find(({ items }) => items.length !== first?.items.length);
  if (uneven)
    throw mismatch(
      `The array ${JSON.stringify(uneven.name)} has ${uneven.items.length} items, but ` +
        `${JSON.stringify(first?.name)} has ${first?.items.length}.`,
    );
  for (let at = 0; at < (first?.items.length ?? 0); at += 1) {
    const members = lists.map(({ name, items }) => ({ name, ...(items[at] ?? { kind: "null" as const, text: "" }) }));
    cells.row(at + 1, columns.cells(members));
    if (!mayContinue()) return false;
  }
  return true;
}

/** Reads NDJSON: one object per line. Rows are numbered by their line. */
export async function readNdjson(
  options: JsonFields & { bad_lines: "error" | "skip" },
  { texts, columns, cells, mayContinue }: JsonReading,
): Promise<void> {
  let [rest, line] = ["", 0];
  const take = (text: string): boolean => {
    line += 1;
    const raw = text.trim();
    if (raw === "") return true;
    try {
      cells.row(line, columns.cells(recordMembers(raw, line, options)));
    } catch (error) {
      if (options.bad_lines === "error") throw asLine(error, line);
      cells.leaveOut("bad_line", line, raw);
    }
    return mayContinue();
  };
  for await (const text of texts) {
    const lines = text.split("\n");
    lines[0] = rest + (lines[0] ?? "");
    rest = lines.pop() ?? "";
    if (rest.length > LINE_CHARACTERS_MAX) throw mismatch(`Line ${line + 1} is longer than 64 MiB.`, line + 1);
    if (!lines.every(take)) return;
  }
  take(rest);
}

const LINE_CHARACTERS_MAX = 64 * 1024 * 1024;

function asLine(error: unknown, line: number): unknown {
  if (!(error instanceof Error)) return error;
  return mismatch(error.message.replace(`Record ${line}`, `Line ${line}`), line);
}

/** The reference tokens of a JSON Pointer (RFC 6901). */
export function tokensOf(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}
