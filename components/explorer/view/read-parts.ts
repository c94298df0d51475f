import { isSpan } from "@/components/values/span-end";
import { COLUMNS_MAX, FILTERS_MAX, OFFSET_MAX, ORDER_MAX } from "@/lib/engine/grammar/bounds";
import { isBucketName } from "@/lib/engine/types/buckets";
import { columnTypeOf, isOrderable } from "@/lib/engine/types/column-types";
import { formatCount } from "@/lib/kernel/format";
import { unpackName } from "./name-list";
import { readAggregates } from "./read-aggregates";
import { readFilter, readHaving, readSearch } from "./read-filters";
import { readGroups } from "./read-groups";
import { bounded, has, namesOf, type Reading, unknown } from "./reading";
import {
  groupAliases,
  isGroupedView,
  type View,
  type ViewChart,
  type ViewColumn,
  type ViewSort,
  type ViewWords,
  WORD_NAMES,
  WORDS,
} from "./view";

const LIMIT_MAX = 10_000;

/** Each part of a view, as far as the table's columns allow. */
export function readParts(reading: Reading): View {
  const group = readGroups(reading);
  const groups = groupAliases({ group });
  const aggregates = readAggregates(reading, groups);
  const columns = readColumns(reading);
  const results = isGroupedView({ group, aggregates })
    ? [...groups, ...aggregates.map((entry) => entry.alias)]
    : reading.columns.filter(isOrdered).map((column) => column.name);
  const shown = isGroupedView({ group, aggregates }) ? results : reading.columns.map((column) => column.name);
  const view: View = {
    columns: columns.length > 0 ? columns : undefined,
    filters: bounded(reading, "filter", reading.all("filter"), FILTERS_MAX).flatMap(
      (text) => readFilter(reading, text) ?? [],
    ),
    sort: readSort(reading, group.length === 0 && aggregates.length > 0 ? [] : results),
    group,
    aggregates,
    limit: readLimit(reading),
    chart: readChart(reading, shown),
    ...readWords(reading),
    version: reading.all("version")[0] || undefined,
    ...readSearch(reading),
  };
  return isGroupedView(view) ? { ...view, ...readHaving(reading, view) } : { ...view, ...readFirstRow(reading) };
}

/** The last row that a page can start at. */
export const FIRST_ROW_MAX = OFFSET_MAX + 1;

/** A row number as people type it; undefined if no page can start at it. */
export function rowNumber(text: string): number | undefined {
  const digits = text.replaceAll(/[\s,.]/g, "");
  const row = /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
  return row >= 1 && row <= FIRST_ROW_MAX ? row : undefined;
}

function readFirstRow(reading: Reading): Pick<View, "firstRow"> {
  const [text] = reading.all("row");
  if (!text) return {};
  const row = rowNumber(text);
  if (row === undefined) reading.reject("row", text, `Pages can start at rows 1 to ${formatCount(FIRST_ROW_MAX)}.`);
  return row === undefined || row === 1 ? {} : { firstRow: row };
}

function readColumns(reading: Reading): string[] {
  const names = [...new Set(reading.all("columns").flatMap((text) => text.split(",").map(unpackName)))].filter(
    (name) => name !== "" || has(reading, ""),
  );
  return bounded(reading, "columns", names, COLUMNS_MAX).filter((name) => {
    if (has(reading, name)) return true;
    reading.reject("columns", name, unknown(reading, "column", name, namesOf(reading)));
    return false;
  });
}

function readSort(reading: Reading, names: readonly string[]): ViewSort[] {
  const seen = new Set<string>();
  const keys = reading.all("sort").flatMap((text) => (text === "" ? [] : text.split(",")));
  return bounded(reading, "sort", keys, ORDER_MAX).flatMap((text) => {
    const descending = text.startsWith("-");
    const column = unpackName(descending ? text.slice(1) : text);
    if (seen.has(column)) return [];
    seen.add(column);
    if (names.includes(column)) return [{ column, descending }];
    reading.reject(
      "sort",
      text,
      has(reading, column)
        ? `The result cannot be sorted by ${JSON.stringify(column)}.`
        : unknown(reading, "column", column, names),
    );
    return [];
  });
}

function readLimit(reading: Reading): number | undefined {
  const [text] = reading.all("limit");
  if (text === undefined || text === "") return undefined;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= LIMIT_MAX) return limit;
  reading.reject("limit", text, `The limit must be an integer from 1 to ${LIMIT_MAX}.`);
  return undefined;
}

function readChart(reading: Reading, names: readonly string[]): ViewChart | undefined {
  const [text] = reading.all("chart");
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
  reading.reject(
    "chart",
    text,
    missing === undefined ? `Unknown chart type ${JSON.stringify(kind)}.` : unknown(reading, "column", missing, names),
  );
  return undefined;
}

/** Maximum number of characters of a title and of a note. */
export const TITLE_MAX = 120;
export const NOTE_MAX = 400;

function readWords(reading: Reading): ViewWords {
  return Object.fromEntries(
    WORD_NAMES.map((name) => [name, readOwnText(reading, WORDS[name], name === "note" ? NOTE_MAX : TITLE_MAX)]),
  );
}

function readOwnText(reading: Reading, parameter: string, most: number): string | undefined {
  const text = ownText(reading.all(parameter)[0] ?? "");
  if (text === "") return undefined;
  if (text.length <= most) return text;
  reading.reject(parameter, text, `Too long: ${text.length} characters (maximum ${most}).`);
  return undefined;
}

/** A title or note on one line, without control characters. */
export const ownText = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ").trim();

const isOrdered = (column: ViewColumn): boolean => isOrderable(columnTypeOf(column));
