import { pointerTo } from "@/lib/engine/grammar/pointer";
import { isTyped } from "./cell-kind";

export interface RecordsFound {
  /** JSON Pointer. */
  pointer: string;
  shape: "array" | "map" | "columns" | "rows";
  items: number;
  score: number;
  /** For rows: how many values they have at most, and the JSON Pointer of the columns' names if there are as many. */
  width?: number;
  names?: string;
}

const DEPTH_MAX = 4;
const LOOKED_AT = 100;
const MEMBERS_LOOKED_AT = 200;
/** Arrays with more items are records, and not a few parts of a document. */
const PARTS_MAX = 5;
/** Objects of fewer members are maps only if these all have the same members. */
const MAP_MIN = 10;
const WIDTH_MAX = 500;
/** Lists of columns are less likely the records than what the columns are of. */
const NAMES_SHARE = 0.5;
const NAMES = new Set(["data", "items", "results", "records", "features", "value", "rows", "values"]);
const NAMES_OF_NAMES = /^(?:columns?|cols|fields|headers?|names|schema|labels)$/i;
/** As the reader takes a column's name from an object. */
const NAME_MEMBERS = ["name", "label", "title", "id", "field"];

/** Where the records of a document may be, the likeliest first. */
export function findRecords(document: unknown): RecordsFound[] {
  const names: NamesFound[] = [];
  const found = candidates(document, "", 0, names);
  return found
    .map((each) => (each.width === undefined ? each : withNames(each, document, names)))
    .sort((a, b) => b.score - a.score);
}

/** A list of strings, or of objects with names, at a place that is called as such lists are. */
interface NamesFound {
  pointer: string;
  count: number;
}

function candidates(value: unknown, pointer: string, depth: number, names: NamesFound[]): RecordsFound[] {
  if (depth > DEPTH_MAX || typeof value !== "object" || value === null) return [];
  return Array.isArray(value) ? inArray(value, pointer, depth, names) : inObject(value, pointer, depth, names);
}

function inArray(items: readonly unknown[], pointer: string, depth: number, names: NamesFound[]): RecordsFound[] {
  const areColumns = areNames(items) && NAMES_OF_NAMES.test(lastToken(pointer));
  if (areColumns) names.push({ pointer, count: items.length });
  const first = items.slice(0, LOOKED_AT);
  const objects = first.filter(isObject);
  const lists = first.filter((item): item is unknown[] => Array.isArray(item));
  const parts = items.length <= PARTS_MAX && objects.length < first.length ? items : [];
  const below = parts.flatMap((item, at) => candidates(item, pointer + pointerTo(at), depth + 1, names));
  if (below.length > 0) return below;
  const share = areColumns ? NAMES_SHARE : 1;
  if (objects.length > 0) return [scored(pointer, "array", items.length, share * commonShare(objects))];
  return first.length > 0 && lists.length === first.length ? rowsOf(items.length, lists, pointer) : [];
}

function inObject(value: object, pointer: string, depth: number, names: NamesFound[]): RecordsFound[] {
  const members = Object.entries(value) as [string, unknown][];
  const items = columnLength(members);
  if (items > 0) return [scored(pointer, "columns", items, 1)];
  const below = members
    .slice(0, MEMBERS_LOOKED_AT)
    .flatMap(([name, member]) => candidates(member, pointer + pointerTo(name), depth + 1, names));
  const objects = members.slice(0, LOOKED_AT).flatMap(([, member]) => (isObject(member) ? [member] : []));
  if (members.length < 2 || objects.length < Math.min(members.length, LOOKED_AT)) return below;
  const share = commonShare(objects);
  const isMap = share > 0 && (members.length >= MAP_MIN || (share === 1 && below.length === 0));
  return isMap && !isTransposed(objects) ? [scored(pointer, "map", members.length, share), ...below] : below;
}

function scored(pointer: string, shape: RecordsFound["shape"], items: number, share: number): RecordsFound {
  return { pointer, shape, items, score: items * share * (NAMES.has(lastToken(pointer)) ? 2 : 1) };
}

/** The share of all members that most of the objects have. */
function commonShare(objects: readonly object[]): number {
  const counts = new Map<string, number>();
  for (const object of objects) for (const name of Object.keys(object)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const common = [...counts.values()].filter((count) => count > objects.length / 2).length;
  return counts.size === 0 ? 0 : common / counts.size;
}

/** Whether objects have the members 0, 1, 2 …: they are columns by the numbers of their rows. */
export const isTransposed = (objects: readonly object[]): boolean =>
  objects.every((object) => Object.keys(object).every((name, at) => name === String(at)));

/** The length of arrays of values that are columns: all members of an object, and equally long. 0 if they are not. */
function columnLength(members: readonly (readonly [string, unknown])[]): number {
  const [[, first] = ["", undefined]] = members;
  if (members.length < 2 || !Array.isArray(first) || first.length < 2) return 0;
  return members.every(
    ([, list]) =>
      Array.isArray(list) && list.length === first.length && list.slice(0, LOOKED_AT).every((item) => isScalar(item)),
  )
    ? first.length
    : 0;
}

function rowsOf(items: number, lists: readonly (readonly unknown[])[], pointer: string): RecordsFound[] {
  const width = Math.max(...lists.map(({ length }) => length));
  if (width === 0 || width > WIDTH_MAX) return [];
  return [{ ...scored(pointer, "rows", items, 1), width }];
}

/** Rows with the likeliest list of as many names: their own first row, or one elsewhere with a usual name. */
function withNames(rows: RecordsFound, document: unknown, names: readonly NamesFound[]): RecordsFound {
  const lists = (pointedList(document, rows.pointer) as unknown[][]).slice(0, LOOKED_AT);
  const isEven = lists.every(({ length }) => length === rows.width);
  const found = names.find(({ count }) => count === rows.width);
  const pointer = found?.pointer ?? (isEven && isHeader(lists) ? `${rows.pointer}/0` : undefined);
  return pointer === undefined ? rows : { ...rows, names: pointer };
}

const lastToken = (pointer: string): string => pointer.split("/").at(-1) ?? "";

function pointedList(document: unknown, pointer: string): unknown {
  const tokens = pointer.split("/").slice(1);
  return tokens.reduce(
    (value, token) => (value as Record<string, unknown>)[token.replaceAll("~1", "/").replaceAll("~0", "~")] as unknown,
    document,
  );
}

/** Whether the first row has words where a column has numbers, dates or truth values below. */
function isHeader([first = [], ...rest]: readonly (readonly unknown[])[]): boolean {
  const isValue = (item: unknown) => (typeof item === "string" ? isTyped(item) : item !== null);
  const areWords = areNames(first) && first.every((item) => !isValue(item));
  return areWords && first.some((_, at) => rest.some((row) => isValue(row[at])));
}

/** Whether all items are different strings, or objects with different names. */
function areNames(items: readonly unknown[]): boolean {
  if (items.length === 0 || items.length > WIDTH_MAX) return false;
  const names = items.map((item) => (isObject(item) ? nameOf(item as Record<string, unknown>) : item));
  return names.every((name) => typeof name === "string" && name.trim() !== "") && new Set(names).size === names.length;
}

const nameOf = (object: Record<string, unknown>): unknown =>
  NAME_MEMBERS.flatMap((name) => (Object.hasOwn(object, name) ? [object[name]] : []))[0];

const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null;

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
