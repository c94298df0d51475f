import { tableSegment } from "@/lib/describe/links";
import {
  AGGREGATES_MAX,
  COLUMNS_MAX,
  DERIVED_MAX,
  FILTERS_MAX,
  GROUP_FILTERS_MAX,
  GROUPS_MAX,
  LOOKUPS_MAX,
  OFFSET_MAX,
  ORDER_MAX,
} from "@/lib/engine/grammar/bounds";
import { didYouMean } from "@/lib/engine/grammar/did-you-mean";
import { distanceName } from "@/lib/engine/plan/near";
import { AGGREGATES, isAggregateName } from "@/lib/engine/types/aggregates";
import { isBucketName } from "@/lib/engine/types/buckets";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { isOperatorName, OPERATORS } from "@/lib/engine/types/operators";
import { isSpan } from "@/lib/engine/types/spans";
import type { Fault } from "@/lib/kernel/errors";
import { formatCount } from "@/lib/kernel/format";
import { commaFault, enteredNumber, filterOn, textsOf, valueAsText } from "./filter-values";
import {
  isGroupedView,
  namedGroup,
  resultColumns,
  resultNames,
  type View,
  type ViewAggregate,
  type ViewChart,
  type ViewColumn,
  type ViewDerived,
  type ViewFilter,
  type ViewGroup,
  type ViewLookup,
  type ViewNear,
  type ViewWords,
  viewFaults,
  WORD_NAMES,
  WORDS,
} from "./view";

/** A part of a URL that does not apply to the table. It is left out of the view, and the page says so. */
export interface AddressFault {
  parameter: string;
  text: string;
  message: string;
}

export type AddressParameters = URLSearchParams | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A part of a query, as a URL says it. `own` are those of its parts that have a parameter of their own. */
interface Said {
  parameter: string;
  text: string;
  part: (own: never[]) => unknown;
  own?: Said[];
  /** What is wrong with it, where the engine would say less. */
  fault?: string | undefined;
}

type Read = Omit<Said, "parameter">;

/** The parts of a query that a URL holds, by their key in the body. A query has at most one search, near and top. */
type Query = Record<
  "group_by" | "aggregates" | "derive" | "columns" | "filters" | "search" | "near" | "order_by" | "having" | "top",
  Said[]
>;

interface Reading {
  columns: readonly ViewColumn[];
  all: (parameter: string) => string[];
  /** The values of a parameter as parts; those beyond the most are reported as a fault. */
  parts: (parameter: string, texts: readonly string[], most: number, read: (text: string) => Read) => Said[];
  reject: (parameter: string, text: string, message: string) => void;
  /** What the engine has rejected so far. */
  found: Fault[];
}

/**
 * Reads a view from a URL. The engine plans its query for the table's columns: what it rejects is left out and
 * reported. Nothing throws.
 */
export function readView(
  parameters: AddressParameters,
  columns: readonly ViewColumn[],
): { view: View; faults: AddressFault[] } {
  const faults: AddressFault[] = [];
  const reject = (parameter: string, text: string, message: string) => {
    const isSaid = faults.some((fault) => fault.parameter === parameter && fault.text === text);
    if (!isSaid) faults.push({ parameter, text, message });
  };
  const reading: Reading = {
    columns,
    reject,
    found: [],
    all: (name) => {
      if (parameters instanceof URLSearchParams) return parameters.getAll(name);
      const value = parameters[name];
      return value === undefined ? [] : typeof value === "string" ? [value] : [...value];
    },
    parts: (parameter, texts, most, read) => {
      if (texts.length > most)
        reject(parameter, texts.slice(most).join(", "), `Too many items: ${texts.length} (maximum ${most}).`);
      return texts.slice(0, most).map((text) => ({ parameter, ...read(text) }));
    },
  };
  const asked = readRows(reading);
  const rows = sound(reading, { ...asked, order_by: byDistance(reading, asked), having: [], top: [] });
  const { group_by, aggregates, derive } = queryOf(rows);
  const isGrouped = isGroupedView({ group_by, aggregates });
  const query = queryOf(
    sound(reading, {
      ...rows,
      order_by: readOrder(reading),
      top: reading.parts("top", reading.all("top").slice(0, 1).filter(Boolean), 1, readTop),
      having: isGrouped ? readHaving(reading, resultColumns({ group_by, aggregates, derive }, columns)) : [],
    }),
  );
  const lookups = readLookups(reading);
  const view: View = {
    ...query,
    ...(lookups.length > 0 && { lookups }),
    limit: readLimit(reading),
    chart: readChart(reading, isGrouped ? resultNames(query) : columns.map(({ name }) => name)),
    ...readWords(reading),
    version: reading.all("version")[0] || undefined,
    ...(!isGrouped && readFirstRow(reading)),
  };
  return { view, faults };
}

/** The order of rows by their distance, which a view may have for its sake alone, before other keys are known. */
function byDistance({ all }: Reading, { near, group_by, aggregates }: Asked): Said[] {
  if (group_by.length + aggregates.length > 0) return [];
  const sorted = all("sort").flatMap((text) => text.split(",").map(sortedColumn));
  return near
    .map(({ part }) => distanceName(part([]) as ViewNear))
    .filter((name) => sorted.includes(name))
    .map((column) => ({ parameter: "sort", text: column, part: () => ({ column, direction: "asc" }) }));
}

type Asked = Omit<Query, "order_by" | "having" | "top">;

function readRows({ all, columns, parts }: Reading): Asked {
  const hasUnnamed = columns.some(({ name }) => name === "");
  const list = (parameter: string, read = (text: string) => text) =>
    [...new Set(all(parameter).flatMap((text) => text.split(",").map(read)))].filter((text) => text || hasUnnamed);
  const names = (parameter: string) =>
    parts(parameter, list(parameter, unpackName), COLUMNS_MAX, (text) => ({ text, part: () => text }));
  const conditions = Map.groupBy(all("aggfilter"), (text) => text.slice(0, text.indexOf(":") + 1));
  const [search, near] = ["search", "near"].map((parameter) => all(parameter).slice(0, 1).filter(Boolean));
  return {
    group_by: parts("group", list("group"), GROUPS_MAX, (text) => readGroup(text, columns)),
    aggregates: parts("agg", all("agg"), AGGREGATES_MAX, (text) => {
      const [word = "", column = "", as = ""] = splitParts(text, 3);
      const own = (conditions.get(`${as}:`) ?? []).map((condition) => condition.slice(as.length + 1));
      return {
        text,
        part: (filters) => readAggregate(word, unpackName(column), as, filters),
        own: parts("aggfilter", own, GROUP_FILTERS_MAX, (condition) => readFilter(condition, columns)),
      };
    }),
    derive: parts("derive", all("derive"), DERIVED_MAX, readDerived),
    columns: names("columns"),
    filters: parts("filter", all("filter"), FILTERS_MAX, (text) => readFilter(text, columns)),
    search: parts("search", search ?? [], 1, (text) => ({
      text,
      part: (own) => ({ text, ...(own.length > 0 && { columns: own }) }),
      own: names("searchin"),
    })),
    near: parts("near", near ?? [], 1, readNear),
  };
}

/** Filters over groups and results. */
const readHaving = ({ all, parts }: Reading, results: readonly ViewColumn[]): Said[] =>
  parts("having", all("having"), GROUP_FILTERS_MAX, (text) => readFilter(text, results));

/** The query that the parts make, without those that are empty. */
function queryOf({ columns, search, near, top, having, derive, ...lists }: Query) {
  const partOf = ({ part, own = [] }: Said): unknown => part(own.map(partOf) as never[]);
  const all = {
    ...lists,
    ...(columns.length > 0 && { columns }),
    ...(having.length > 0 && { having }),
    ...(derive.length > 0 && { derive }),
  };
  return {
    ...Object.fromEntries(Object.entries(all).map(([key, list]) => [key, list.map(partOf)])),
    ...(search[0] && { search: partOf(search[0]) }),
    ...(near[0] && { near: partOf(near[0]) }),
    ...(top[0] && { top: partOf(top[0]) }),
  } as Pick<View, keyof Query>;
}

/** The parts without those that the engine rejects, which are reported. */
function sound(reading: Reading, query: Query): Query {
  const found = viewFaults(queryOf(query), reading.columns, reading.found);
  reading.found.push(...found);
  // the name that a result would take may be that of one that is itself rejected
  const certain = found.filter(({ code }) => code !== "alias_conflict");
  const rejected = new Set<Said>();
  for (const { pointer, message, didYouMean: meant } of certain.length > 0 ? certain : found)
    for (const said of partsAt(query, pointer)) {
      if (rejected.has(said)) continue;
      rejected.add(said);
      reading.reject(said.parameter, said.text, said.fault ?? message + meantText(meant));
    }
  if (rejected.size === 0) return query;
  const without = (parts: readonly Said[]): Said[] =>
    parts
      .filter((said) => !rejected.has(said))
      .map((said) => ({ ...said, ...(said.own && { own: without(said.own) }) }));
  return sound(
    reading,
    Object.fromEntries(Object.entries(query).map(([key, parts]) => [key, without(parts)])) as Query,
  );
}

/** The parts that a fault is about: a list, one of it, or a part of that one. */
function partsAt(query: Query, pointer: string): readonly Said[] {
  const [, key = "", at, , ownAt] = pointer.replace(/^\/(?:search|near|top)/, "$&/0").split("/");
  const list = query[key as keyof Query];
  if (at === undefined) return list;
  const said = list[Number(at)];
  const own = ownAt === undefined ? undefined : said?.own?.[Number(ownAt)];
  return own ? [own] : said ? [said] : [];
}

const meantText = (name: string | undefined): string =>
  name === undefined ? "" : ` Did you mean ${JSON.stringify(name)}?`;

/** A filter in a URL: `origin:eq:LAS`, `place:contains~:alaska`. */
function readFilter(text: string, columns: readonly ViewColumn[]): Read {
  const [packed = "", word = "", rest] = splitParts(text, 3);
  const operator = word.endsWith(ANY_CASE) ? word.slice(0, -1) : word;
  const name = unpackName(packed);
  const column = columns.find((entry) => entry.name === name);
  if (!column || !isOperatorName(operator)) return { text, part: () => ({ column: name, operator }) };
  const { arity } = OPERATORS[operator];
  const values = rest === undefined ? [] : arity === "one" ? [rest] : rest.split(",").map(unpackName);
  const filter = filterOn(column, operator, values, word !== operator);
  return { text, part: () => filter, fault: commaFault(filter, column) };
}

/** After an operator: ignore case. */
const ANY_CASE = "~";

/** A group in a URL: `origin`, `date:month`, `delay:100:delay_from`, `time:hour:local:Europe/Paris`. */
function readGroup(text: string, columns: readonly ViewColumn[]): Read {
  const [name = "", span = "", alias = name, zone] = text.split(":").map(unpackName);
  const as = alias === "" && zone !== undefined ? name : alias;
  const column = columns.find((entry) => entry.name === name);
  const isWidth = !isBucketName(span) && column !== undefined && columnTypeOf(column).number !== undefined;
  const spans = {
    ...(isWidth ? { width: enteredNumber(span) } : { bucket: span }),
    ...(zone !== undefined && { zone }),
  };
  return { text, part: () => (span === "" ? name : { column: name, ...spans, ...(as !== name && { as }) }) };
}

/**
 * A result in a URL: `avg:delay:mean`, `quantile@0.9:delay:p90`, `corr@distance:delay:r`, `share@origin::part`. After
 * the @ is what the function needs: a number, a column, or names of groups.
 */
function readAggregate(word: string, column: string, as: string, filters: readonly ViewFilter[]) {
  const [name = "", more] = splitParts(word, 2, "@");
  const needs = isAggregateName(name) ? (AGGREGATES[name].needs ?? []) : [];
  const takesColumn = column !== "" || (isAggregateName(name) && AGGREGATES[name].arity > 0);
  return {
    function: name,
    ...(takesColumn && { column }),
    ...(more !== undefined &&
      (needs.includes("with")
        ? { with: unpackName(more) }
        : needs.includes("of")
          ? { of: more === "" ? [] : more.split(",").map(unpackName) }
          : { at: enteredNumber(more) })),
    ...(filters.length > 0 && { filters }),
    as,
  };
}

/**
 * What is derived in a URL: `change:rows:month:more`, `moving_average@12:rows:month:smooth`, `rank@origin:rows::place`.
 * After the @ is the number of spans, or the groups within which a rank is counted; `asc` in place of the group makes 1
 * the least.
 */
function readDerived(text: string): Read {
  const [word = "", ...rest] = splitParts(text, 4);
  const [of = "", over = "", as = ""] = rest.map(unpackName);
  const [name = "", more] = splitParts(word, 2, "@");
  const named = { as, function: name, of };
  if (name === "rank") {
    const by = more === undefined || more === "" ? [] : more.split(",").map(unpackName);
    const direction = over === "" ? {} : { direction: over };
    return { text, part: () => ({ ...named, ...(by.length > 0 && { by }), ...direction }) };
  }
  const spans = more === undefined ? {} : { size: enteredNumber(more) };
  return { text, part: () => ({ ...named, ...(over !== "" && { over }), ...spans }) };
}

/** A place in a URL: `lat:lon:40.7128,-74.006:15`, or `lat:lon:40.7128,-74.006::far` for distances alone. */
function readNear(text: string): Read {
  const [latitude = "", longitude = "", place = "", km = "", as = ""] = text.split(":").map(unpackName);
  const of = place === "" ? [] : place.split(",").map(enteredNumber);
  const most = km === "" ? {} : { km: enteredNumber(km) };
  return { text, part: () => ({ latitude, longitude, of, ...most, ...(as !== "" && { as }) }) };
}

/**
 * Columns of another table in a URL: `airport:<table_id>:code,origin:city,state`, then the version or the time. In the
 * third part, each column of its key is followed by the one of this table.
 */
export function readLookup(text: string): ViewLookup {
  const [as = "", table_id = "", on = "", columns = "", version = "", time = ""] = text.split(":");
  const pairs = on.split(",").map(unpackName);
  return {
    table_id: unpackName(table_id),
    on: Object.fromEntries(pairs.flatMap((key, at) => (at % 2 === 0 ? [[key, pairs[at + 1] ?? ""] as const] : []))),
    columns: columns.split(",").map(unpackName),
    as,
    ...(version !== "" && { version_id: unpackName(version) }),
    ...(time !== "" && { as_of: unpackName(time) }),
  };
}

/** The view without a lookup and without everything that names its columns. `columns` are all that the view has. */
export function withoutLookup(view: View, as: string, columns: readonly ViewColumn[]): View {
  const lookups = view.lookups?.filter((lookup) => lookup.as !== as);
  const left = columns.filter(({ name }) => !name.startsWith(`${as}.`));
  return readView(viewParameters({ ...view, lookups }), left).view;
}

/** The lookups whose columns are known. */
function readLookups({ all, parts, reject, columns }: Reading): ViewLookup[] {
  const known = new Set(columns.map(({ name }) => name));
  const texts = all("lookup").filter(Boolean);
  return parts("lookup", texts, LOOKUPS_MAX, (text) => ({ text, part: () => readLookup(text) })).flatMap((said) => {
    const lookup = said.part([]) as ViewLookup;
    if (lookup.columns.every((name) => known.has(`${lookup.as}.${name}`))) return [lookup];
    reject("lookup", said.text, "Unknown table or columns.");
    return [];
  });
}

/** The first of each in a URL: `3:origin,carrier`. */
function readTop(text: string): Read {
  const [count = "", names = ""] = splitParts(text, 2);
  const by = names === "" ? [] : names.split(",").map(unpackName);
  return { text, part: () => ({ by, count: enteredNumber(count) }) };
}

const sortedColumn = (text: string): string => unpackName(text.startsWith("-") ? text.slice(1) : text);

/** The order in a URL: `date,-delay`. Only the first key of a column counts. */
function readOrder({ all, parts }: Reading): Said[] {
  const texts = all("sort").flatMap((text) => (text === "" ? [] : text.split(",")));
  const keys = parts("sort", texts, ORDER_MAX, (text) => ({
    text,
    part: () => ({ column: sortedColumn(text), direction: text.startsWith("-") ? "desc" : "asc" }),
  }));
  return keys.filter(
    ({ text }, at) => keys.findIndex((other) => sortedColumn(other.text) === sortedColumn(text)) === at,
  );
}

const LIMIT_MAX = 10_000;

function readLimit({ all, reject }: Reading): number | undefined {
  const [text] = all("limit");
  if (text === undefined || text === "") return undefined;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= LIMIT_MAX) return limit;
  reject("limit", text, `The limit must be an integer from 1 to ${LIMIT_MAX}.`);
  return undefined;
}

/** The last row that a page can start at. */
export const FIRST_ROW_MAX = OFFSET_MAX + 1;

/** A row number as people type it; undefined if no page can start at it. */
export function rowNumber(text: string): number | undefined {
  const digits = text.replaceAll(/[\s,.]/g, "");
  const row = /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
  return row >= 1 && row <= FIRST_ROW_MAX ? row : undefined;
}

function readFirstRow({ all, reject }: Reading): Pick<View, "firstRow"> {
  const [text] = all("row");
  if (!text) return {};
  const row = rowNumber(text);
  if (row === undefined) reject("row", text, `Pages can start at rows 1 to ${formatCount(FIRST_ROW_MAX)}.`);
  return row === undefined || row === 1 ? {} : { firstRow: row };
}

/** `line:date:delay:carrier:log:month`, `map:lon:lat:depth:::magnitude`, over the names of the result. */
function readChart({ all, reject }: Reading, names: readonly string[]): ViewChart | undefined {
  const [text] = all("chart");
  if (!text) return undefined;
  const [kind = "", x = "", y = "", series = "", scale, step = "", size = ""] = text.split(":").map(unpackName);
  const missing = [x, y, series, size].find((name) => name !== "" && !names.includes(name));
  if (missing === undefined && /^[a-z]+$/.test(kind))
    return {
      kind,
      x,
      y,
      ...(series !== "" && { series }),
      ...(scale === "log" && { log: true as const }),
      ...(isBucketName(step) && isSpan(step) && { step }),
      ...(size !== "" && { size }),
    };
  const meant = missing === undefined ? undefined : didYouMean(missing, names);
  const [what, name] = missing === undefined ? ["chart type", kind] : ["column", missing.slice(0, 100)];
  reject("chart", text, `Unknown ${what} ${JSON.stringify(name)}.${meantText(meant)}`);
  return undefined;
}

/** Maximum number of characters of a title and of a note. */
export const TITLE_MAX = 120;
export const NOTE_MAX = 400;

function readWords({ all, reject }: Reading): ViewWords {
  const read = (name: keyof ViewWords): string | undefined => {
    const most = name === "note" ? NOTE_MAX : TITLE_MAX;
    const text = ownText(all(WORDS[name])[0] ?? "");
    if (text.length <= most) return text || undefined;
    reject(WORDS[name], text, `Too long: ${text.length} characters (maximum ${most}).`);
    return undefined;
  };
  return Object.fromEntries(WORD_NAMES.map((name) => [name, read(name)]));
}

/** A title or note on one line, without control characters. */
export const ownText = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ").trim();

/** The parameters of a view, in a fixed order, so that equal views have equal URLs. */
export function viewParameters(view: Partial<View>): URLSearchParams {
  const { filters = [], search, columns, group_by = [], aggregates = [], having = [], order_by = [], chart } = view;
  const { derive = [], near, lookups = [], top } = view;
  const parts: (readonly [parameter: string, text: string | number | undefined])[] = [
    ...filters.map((filter) => ["filter", filterText(filter)] as const),
    ["search", search?.text],
    ["searchin", search?.columns && listText(search.columns)],
    ["near", near && nearText(near)],
    ...lookups.map((lookup) => ["lookup", lookupText(lookup)] as const),
    ["columns", columns && listText(columns)],
    ["group", group_by.map(groupText).join(",") || undefined],
    ...aggregates.flatMap((aggregate) => [
      ["agg", aggregateText(aggregate)] as const,
      ...(aggregate.filters ?? []).map((filter) => ["aggfilter", `${aggregate.as}:${filterText(filter)}`] as const),
    ]),
    ...derive.map((entry) => ["derive", derivedText(entry)] as const),
    ...having.map((filter) => ["having", filterText(filter)] as const),
    [
      "sort",
      order_by.map(({ column, direction }) => (direction === "desc" ? "-" : "") + packName(column)).join(",") ||
        undefined,
    ],
    ["top", top && `${valueAsText(top.count)}:${listText(top.by)}`],
    ["row", view.firstRow],
    ["limit", view.limit],
    ["chart", chart && chartText(chart)],
    ...WORD_NAMES.map((name) => [WORDS[name], view[name] || undefined] as const),
    ["version", view.version || undefined],
  ];
  return new URLSearchParams(parts.flatMap(([name, text]) => (text === undefined ? [] : [[name, String(text)]])));
}

/** A single value is written as it is; the values of a list are separated by commas. */
function filterText(filter: ViewFilter): string {
  const { column, operator, ignore_case } = filter;
  const head = `${packName(column)}:${operator}${ignore_case ? ANY_CASE : ""}`;
  const { arity } = OPERATORS[operator];
  if (arity === "none") return head;
  const values = textsOf(filter);
  return `${head}:${arity === "one" ? (values[0] ?? "") : listText(values)}`;
}

/**
 * `origin`, `date:month:date_month`, `delay:100`, `time:hour::Europe/Paris`: the column, its spans, the alias if it
 * differs, and the time zone.
 */
function groupText(group: ViewGroup): string {
  const { column, bucket, width, as, zone } = namedGroup(group);
  const span = bucket ?? (width && valueAsText(width));
  const alias = as === column ? "" : as;
  const said = [column, ...(span === undefined ? [] : [span]), alias, zone ?? ""];
  return said
    .slice(0, said.findLastIndex((part) => part !== "") + 1)
    .map(packName)
    .join(":");
}

/** `avg:delay:mean`, `corr@distance:delay:r`. */
function aggregateText({ function: name, column = "", as, at, with: other, of }: ViewAggregate): string {
  const more = at ?? (other === undefined ? of && listText(of) : packName(other));
  return `${name}${more === undefined ? "" : `@${more}`}:${packName(column)}:${as}`;
}

/** `moving_average@12:rows:month:smooth`, `rank@origin:rows:asc:place`. */
function derivedText({ function: name, of, over, as, size, by = [], direction }: ViewDerived): string {
  const more = size === undefined ? (by.length > 0 ? listText(by) : undefined) : valueAsText(size);
  const word = more === undefined ? name : `${name}@${more}`;
  return `${word}:${[of, over ?? direction ?? "", as].map(packName).join(":")}`;
}

/** `airport:<table_id>:code,origin:city,state`. */
function lookupText({ as, table_id, on, columns, version_id = "", as_of = "" }: ViewLookup): string {
  const said = [as, packName(table_id), listText(Object.entries(on).flat()), listText(columns)];
  const all = [...said, packName(version_id), packName(as_of)];
  return all.slice(0, all.findLastIndex((part) => part !== "") + 1).join(":");
}

/** `lat:lon:40.7128,-74.006:15`. */
function nearText({ latitude, longitude, of, km, as = "" }: ViewNear): string {
  const said = [packName(latitude), packName(longitude), of.map(valueAsText).join(","), km ? valueAsText(km) : "", as];
  return said.slice(0, said.findLastIndex((part) => part !== "") + 1).join(":");
}

/** Empty parts at the end are left out. */
function chartText({ kind, x, y, series = "", log, step, size = "" }: ViewChart): string {
  const more = [series, log ? "log" : "", step ?? "", size];
  const said = more.slice(0, more.findLastIndex((part) => part !== "") + 1);
  return [kind, x, y, ...said].map(packName).join(":");
}

/** The view's query string with its question mark, or nothing; commas and colons are left readable. */
export function viewSearch(view: Partial<View>): string {
  const text = viewParameters(view).toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
  return text && `?${text}`;
}

const listText = (names: readonly string[]): string => names.map(packName).join(",");

/**
 * Names in URLs: lists are separated by commas, parts by colons, and a leading hyphen means descending. These
 * characters and percent signs within a name are percent-encoded a second time.
 */
export const packName = (name: string): string =>
  name.replaceAll(/[%:,]|^-/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const unpackName = (text: string): string =>
  text.replaceAll(/%(25|3a|2c|2d)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The parts between the first colons; the last part takes the rest, including its colons. */
function splitParts(text: string, most: number, sign = ":"): string[] {
  const parts = text.split(sign);
  return parts.length <= most ? parts : [...parts.slice(0, most - 1), parts.slice(most - 1).join(sign)];
}

/** The longest query string of a view: a request contains it twice, in its URL and its referrer. */
export const ADDRESS_MAX = 6000;

/** Whether a view fits into a URL. */
export const fitsAddress = (view: Partial<View>): boolean => viewSearch(view).length <= ADDRESS_MAX;

/** The URL of the explorer with a view of a table; the slugs are the dataset's and the table's. */
export const explorerUrl = (dataset: string, table: string, view: Partial<View> = {}): string =>
  `/datasets/${dataset}/${tableSegment(table)}${viewSearch(view)}`;

/** The page of one row of a version, by its position from 1. */
export const rowUrl = (
  dataset: string,
  table: string,
  position: number | string,
  version: string | undefined,
): string => rowIn(`/datasets/${dataset}/${tableSegment(table)}`, position, version);

/** The same, relative to the explorer's path. */
export const rowIn = (path: string, position: number | string, version: string | undefined): string =>
  `${path}/rows/${position}${version === undefined ? "" : `?${new URLSearchParams({ version })}`}`;

/**
 * What the download page offers. A format starts its download automatically; a version replaces the current one; two
 * versions give their differences instead of a table.
 */
export interface DownloadChoice {
  format?: string | undefined;
  version?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The page where signed-in people download entire tables. */
export function downloadUrl(dataset: string, table: string, choice: DownloadChoice = {}): string {
  const query = new URLSearchParams(
    (["format", "version", "from", "to"] as const).flatMap((name) =>
      choice[name] === undefined ? [] : [[name, choice[name]]],
    ),
  );
  return `${explorerUrl(dataset, table)}/download${query.size > 0 ? `?${query}` : ""}`;
}
