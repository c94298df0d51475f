import type { CellsFile } from "@/lib/readers/cells-file";
import { mismatch } from "@/lib/readers/failure";
import type { ReaderOptions } from "@/lib/schemas/recipe-reader";
import type { JsonColumns } from "./json-cells";
import { JsonFault, type JsonMember, readItems, readMembers, shownStart } from "./json-members";
import { columnNames, type JsonFields, recordMembers, rowMembers } from "./json-record";
import { JsonScan, type TakeValue, type Wanted } from "./json-scan";

export interface JsonReading {
  /** The source's text, from its start each time. */
  texts(): AsyncIterable<string>;
  columns: JsonColumns;
  cells: CellsFile;
  /** Whether the text is only the start of its source: a record that is cut off is not read. */
  isCut?: boolean;
  /** False when no more rows are wanted. The columns of all records are. */
  mayContinue(): boolean;
}

type JsonOptions = ReaderOptions["json"];

/** What each shape wants of the value at the pointer. */
export const WANTED: Readonly<Record<JsonOptions["shape"], Wanted>> = {
  array: "items",
  rows: "items",
  map: "members",
  single: "whole",
  columns: "whole",
};
const CHARACTERS_MAX = 64 * 1024 * 1024;

/** Reads one JSON document's records into cells. Rows are numbered by their index, from 1. */
export async function readJson(options: JsonOptions, reading: JsonReading): Promise<void> {
  const scan = new JsonScan(tokensOf(options.records), WANTED[options.shape], await takeValue(options, reading));
  for await (const text of reading.texts()) scan.push(text);
  if (!reading.isCut) scan.end();
  if (!scan.isAtTarget) refuseMissing(scan, options);
}

async function takeValue(options: JsonOptions, reading: JsonReading): Promise<TakeValue> {
  const write = rowWriter(reading);
  const { shape, key_column: keyColumn } = options;
  if (shape === "columns") return (raw) => takeColumns(raw, write);
  if (shape === "rows") return await takeRows(options, reading);
  return (raw, key, row) => {
    const members = recordMembers(raw, options);
    write(row, key === null || keyColumn === undefined ? members : [keyMember(key, keyColumn, members), ...members]);
  };
}

/** Writes rows while they are wanted. Columns that appear later are taken all the same, as a full run finds them. */
function rowWriter({ columns, cells, mayContinue }: JsonReading) {
  let isWanted = true;
  return (row: number, members: readonly JsonMember[]): void => {
    if (isWanted) cells.row(row, columns.cells(members));
    else columns.observe(members);
    isWanted &&= mayContinue();
  };
}

function refuseMissing(scan: JsonScan, { records, missing_records, shape }: JsonOptions): void {
  if (scan.hasErrorMember) throw mismatch(`The source returned an error: ${scan.head}`);
  if (missing_records === "empty") return;
  const kind = WANTED[shape] === "items" ? "array" : "object";
  throw mismatch(
    `No ${kind} at ${records === "" ? "the root" : records}. The document begins: ${shownStart(scan.head, 200)}`,
  );
}

function keyMember(key: string, name: string, members: readonly JsonMember[]): JsonMember {
  if (members.some((member) => member.name === name))
    throw new JsonFault(`a member is called ${JSON.stringify(name)}, which is the name of key_column too.`);
  return { name, kind: "string", text: key };
}

/** Records that are lists of values. The list of their names may be one of them. */
async function takeRows({ records, names: pointer = "" }: JsonOptions, reading: JsonReading): Promise<TakeValue> {
  const write = rowWriter(reading);
  const names = await namesAt(pointer, reading);
  reading.columns.observe(names.map((name) => ({ name, kind: "null", text: "null" })));
  return (raw, _key, row) => {
    if (`${records}/${row - 1}` !== pointer) write(row, rowMembers(raw, names));
  };
}

async function namesAt(pointer: string, { texts }: JsonReading): Promise<string[]> {
  let names: string[] | undefined;
  const scan = new JsonScan(tokensOf(pointer), "whole", (raw) => {
    names = columnNames(raw);
  });
  for await (const text of texts()) {
    scan.push(text);
    if (names) return names;
  }
  throw mismatch(`No list of column names at ${pointer === "" ? "the root" : pointer}, where \`names\` points.`);
}

/** `{a: [..], b: [..]}`: each array is a column. Held in memory, up to 64 MiB of text. */
function takeColumns(raw: string, write: (row: number, members: readonly JsonMember[]) => void): void {
  if (raw[0] !== "{") throw new JsonFault(`not an object of arrays: ${shownStart(raw)}.`);
  const lists = readMembers(raw).map(({ name, kind, text }) => {
    if (kind !== "array") throw new JsonFault(`the member ${JSON.stringify(shownStart(name))} is not an array.`);
    return { name, items: readItems(text) };
  });
  const [first] = lists;
  const uneven = lists.find(({ items }) => items.length !== first?.items.length);
  if (uneven)
    throw new JsonFault(
      `the array ${JSON.stringify(shownStart(uneven.name))} has ${uneven.items.length} items, but ` +
        `${JSON.stringify(shownStart(first?.name ?? ""))} has ${first?.items.length}.`,
    );
  for (let at = 0; at < (first?.items.length ?? 0); at += 1)
    write(
      at + 1,
      lists.map(({ name, items }) => ({ kind: "null", text: "", ...items[at], name })),
    );
}

/**
 * Reads objects one after another, usually one per line. Rows are numbered by the line in which they begin. Bad lines
 * can only be skipped if each object is on a line of its own.
 */
export async function readNdjson(
  options: JsonFields & { bad_lines: "error" | "skip" },
  reading: JsonReading,
): Promise<void> {
  const write = rowWriter(reading);
  if (options.bad_lines === "skip") return await readLines(options, reading, write);
  const scan = new JsonScan([], "sequence", (raw, _key, row) => write(row, recordMembers(raw, options)));
  for await (const text of reading.texts()) scan.push(text);
  if (!reading.isCut) scan.end();
}

async function readLines(
  options: JsonFields,
  { texts, cells, isCut }: JsonReading,
  write: (row: number, members: readonly JsonMember[]) => void,
): Promise<void> {
  let [rest, line] = ["", 0];
  const take = (text: string): void => {
    line += 1;
    const raw = text.trim();
    if (raw === "") return;
    try {
      write(line, recordMembers(raw, options));
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      cells.leaveOut("bad_line", line, raw);
    }
  };
  for await (const text of texts()) {
    const lines = text.split("\n");
    lines[0] = rest + (lines[0] ?? "");
    rest = lines.pop() ?? "";
    if (rest.length > CHARACTERS_MAX) throw mismatch(`Line ${line + 1} is longer than 64 MiB.`, line + 1);
    for (const each of lines) take(each);
  }
  if (!isCut) take(rest);
}

/** The reference tokens of a JSON Pointer (RFC 6901). */
export function tokensOf(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}
