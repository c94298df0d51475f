import { valueText } from "@/components/values/value-text";
import { LIMIT_DEFAULT } from "@/lib/engine/grammar/bounds";
import { AGGREGATES } from "@/lib/engine/types/aggregates";
import { BUCKETS } from "@/lib/engine/types/buckets";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { DERIVATIONS } from "@/lib/engine/types/derivations";
import { formatCount } from "@/lib/kernel/format";
import { valueAsText, valuesOf } from "@/lib/view/filter-values";
import {
  distancesIn,
  isGroupedView,
  namedGroup,
  nearestOnly,
  resultColumns,
  type View,
  type ViewAggregate,
  type ViewColumn,
  type ViewDerived,
  type ViewFilter,
  type ViewGroup,
  type ViewLookup,
  type ViewNear,
  type ViewSearch,
  type ViewTop,
} from "@/lib/view/view";
import { operatorText } from "./operator-text";

/**
 * The view as one sentence that says exactly what its query requests. `part`: how much of the result is shown if not
 * all of it, such as `first 100 of 741 rows`.
 */
export function viewSentence(view: View, columns: readonly ViewColumn[], table: string, part?: string): string {
  const where = conditionText(view, columns);
  const condition = where && ` where ${where}`;
  const sentence = isGroupedView(view)
    ? groupedText(view, columns, table, condition, part)
    : rowsText(view, columns, table, condition, part);
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

/** What a chart is drawn from: all rows or groups, even if a page would show only some of them. */
export function chartSentence(view: View, columns: readonly ViewColumn[], table: string): string {
  const where = conditionText(view, columns);
  const condition = where && ` where ${where}`;
  const of = view.limit === undefined ? "all rows" : `the ${firstText(view.limit, "row")}`;
  const sentence = isGroupedView(view)
    ? groupedText({ ...view, order_by: [] }, columns, table, condition, "")
    : `${of} of ${table}${condition}${view.limit === undefined ? "" : orderText(view)}`;
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

/** What a frame on another site shows, without the amount, which changes with the data. */
export function frameTitle(view: View, columns: readonly ViewColumn[], table: string): string {
  const what = view.chart ? "Chart" : isGroupedView(view) ? "Groups" : "Rows";
  const where = conditionText(view, columns);
  return `${what} of ${table}${where && ` where ${where}`}`;
}

/** Which rows a view reads: its filters, its search and the greatest distance. */
function conditionText({ filters, search, ...view }: View, columns: readonly ViewColumn[]): string {
  const words = filters.map((filter) => filterText(filter, columns));
  const near = nearestOnly(view);
  return [...words, ...(search ? [searchText(search)] : []), ...(near ? [nearText(near)] : [])].join(" and ");
}

/** `latitude and longitude are within 15 km of 40.7, -74`, or the distance from there. */
export function nearText({ latitude, longitude, of, km }: ViewNear): string {
  const place = of.map(valueAsText).join(", ");
  const columns = `${latitude} and ${longitude}`;
  return km ? `${columns} are within ${valueAsText(km)} km of ${place}` : `the distance of ${columns} from ${place}`;
}

/** `with airport looked up by origin`. */
export const lookupText = ({ as, on }: ViewLookup): string =>
  `with ${as} looked up by ${listText(Object.values(on), "and")}`;

const lookupsText = ({ lookups = [] }: View): string => lookups.map((lookup) => `, ${lookupText(lookup)}`).join("");

/** `, with distance_km, the distance of latitude and longitude from 40.7, -74`. */
const distanceText = (view: View): string =>
  distancesIn(view)
    .map(({ name }) => (view.near ? `, with ${name}, ${nearText({ ...view.near, km: undefined })}` : ""))
    .join("");

/** `any string column contains “mit” (ignoring case)`. */
export const searchText = ({ text, columns }: ViewSearch): string =>
  `${columns ? listText(columns, "or") : "any string column"} contains “${text}” (ignoring case)`;

/** A filter as a part of a sentence: `Distance is at least 500`. */
export function filterText(filter: ViewFilter, columns: readonly ViewColumn[]): string {
  const column = columns.find(({ name }) => name === filter.column) ?? { name: filter.column, type: "string" };
  const values = valuesOf(filter).map((value) => valueWords(value, column));
  if (filter.operator === "between") return `${column.name} is between ${values.join(" and ")} (inclusive)`;
  const ignoring = filter.ignore_case ? "(ignoring case)" : "";
  return [column.name, operatorText(filter.operator, column.type), listText(values, "or"), ignoring]
    .filter((part) => part !== "")
    .join(" ");
}

const valueWords = (value: unknown, column: ViewColumn): string =>
  columnTypeOf(column).family === "text" ? `“${valueAsText(value)}”` : (valueText(value, column) ?? "");

function rowsText(
  view: View,
  columns: readonly ViewColumn[],
  table: string,
  condition: string,
  part: string | undefined,
): string {
  const isWhole =
    view.columns === undefined ||
    (view.columns.length === columns.length && columns.every(({ name }, at) => name === view.columns?.[at]));
  const what = isWhole
    ? ""
    : `column${view.columns?.length === 1 ? "" : "s"} ${listText(view.columns ?? [], "and")} of `;
  const rows = part ?? (view.limit === undefined ? undefined : firstText(view.limit, "row"));
  const from = view.firstRow === undefined ? "" : `, starting at row ${formatCount(view.firstRow)}`;
  const which = rows === undefined ? "all rows" : `the ${rows}`;
  const added = `${lookupsText(view)}${distanceText(view)}`;
  return `${what}${which} of ${table}${condition}${added}${orderText(view)}${topPart(view)}${from}`;
}

const firstText = (count: number, noun: string): string =>
  count === 1 ? `first ${noun}` : `first ${formatCount(count)} ${noun}s`;

function groupedText(
  view: View,
  columns: readonly ViewColumn[],
  table: string,
  condition: string,
  part: string | undefined,
): string {
  const derived = (view.derive ?? []).map((entry) => derivedText(entry, view));
  const results = listText(
    [...view.aggregates.map((aggregate) => aggregateText(aggregate, columns)), ...derived],
    "and",
  );
  const having = havingText(view, columns);
  const found = lookupsText(view);
  if (view.group_by.length === 0) return `${results}, over all rows of ${table}${condition}${found}${having}`;
  const groups = listText(view.group_by.map(spanText), "and");
  const first = part === "" ? "" : `; the ${part ?? firstText(view.limit ?? LIMIT_DEFAULT, "group")}`;
  const what = results === "" ? `each distinct ${groups}` : `for each ${groups}, ${results}`;
  const order = orderText(view) || (part === "" ? "" : `, sorted by ${groups}`);
  return `${what}, over all rows of ${table}${condition}${found}${having}${order}${topPart(view)}${first}`;
}

/** `origin`, `month of date`, `hour of the day of date`, `range of 100 of delay`. */
function spanText(group: ViewGroup): string {
  const { column, bucket, width, zone } = namedGroup(group);
  if (bucket !== undefined) return `${BUCKETS[bucket].english} of ${column}${zone === undefined ? "" : ` in ${zone}`}`;
  return width === undefined ? column : `range of ${width} of ${column}`;
}

/** `the average of delay`, `the share of the rows where delay is greater than 15`. */
function aggregateText(aggregate: ViewAggregate, columns: readonly ViewColumn[]): string {
  const where = (aggregate.filters ?? []).map((filter) => filterText(filter, columns)).join(" and ");
  return `the ${functionText(aggregate)}${where && ` where ${where}`}`;
}

/** `0.9 quantile of delay`, `correlation of delay with distance`, `share of the rows of the same origin`. */
export function functionText({ function: name, column, at, with: other, of }: ViewAggregate): string {
  const words = [at, AGGREGATES[name].english, column && `of ${column}`, other && `with ${other}`];
  const among = of && (of.length > 0 ? `of the same ${listText(of, "and")}` : "of the result");
  return [...words, among].filter(Boolean).join(" ");
}

/** `the change of rows by month of date`, `the rank of rows (1 = greatest) within each origin`. */
function derivedText({ function: name, of, over, size, by = [], direction }: ViewDerived, view: View): string {
  const group = view.group_by.find((each) => namedGroup(each).as === over);
  const words = [
    `the ${DERIVATIONS[name].english} of ${of}`,
    size && `(${valueAsText(size)} at a time)`,
    group && `by ${spanText(group)}`,
    name === "rank" && `(1 = ${direction === "asc" ? "least" : "greatest"})`,
    by.length > 0 && `within each ${listText(by, "and")}`,
  ];
  return words.filter(Boolean).join(" ");
}

function havingText(view: View, columns: readonly ViewColumn[]): string {
  const results = resultColumns(view, columns);
  const words = (view.having ?? []).map((filter) => filterText(filter, results));
  return words.length > 0 ? `, only groups where ${words.join(" and ")}` : "";
}

/** `the first 3 of each origin and carrier`. */
export const topText = ({ by, count }: ViewTop): string =>
  `the first ${valueAsText(count)} of each ${listText(by, "and")}`;

const topPart = ({ top }: View): string => (top ? `, only ${topText(top)}` : "");

function orderText({ order_by }: View): string {
  const keys = order_by.map(
    ({ column, direction }) => `${column}${direction === "desc" ? " in descending order" : ""}`,
  );
  return keys.length > 0 ? `, sorted by ${keys.join(", then by ")}` : "";
}

/** `a`, `a and b`, `a, b and c`. */
function listText(items: readonly string[], link: "and" | "or"): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} ${link} ${last}`;
}
