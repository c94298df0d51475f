import { valueText } from "@/components/values/value-text";
import { LIMIT_DEFAULT } from "@/lib/engine/grammar/bounds";
import { AGGREGATES } from "@/lib/engine/types/aggregates";
import { formatCount } from "@/lib/kernel/format";
import { filterValue } from "./filter-values";
import { operatorWords } from "./operator-words";
import { isGroupedView, type View, type ViewAggregate, type ViewColumn, type ViewFilter } from "./view";

/**
 * The view as one sentence, which says exactly what its query asks.
 * `part`: how much of the result is shown where that is not all of it, such as `first 100 of 741 rows`.
 */
export function viewSentence(view: View, columns: readonly ViewColumn[], table: string, part?: string): string {
  const where = view.filters.map((filter) => filterWords(filter, columns)).join(" and ");
  const condition = where && ` where ${where}`;
  const sentence = isGroupedView(view)
    ? groupedWords(view, table, condition, part)
    : rowsWords(view, columns, table, condition, part);
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

/** What a frame on another site shows, without saying how much, which changes with the data. */
export function frameTitle(view: View, columns: readonly ViewColumn[], table: string): string {
  const what = view.chart ? "Chart" : isGroupedView(view) ? "Groups" : "Rows";
  const where = view.filters.map((filter) => filterWords(filter, columns)).join(" and ");
  return `${what} of ${table}${where && ` where ${where}`}`;
}

/** A filter as a part of a sentence: `Distance is at least 500`. */
export function filterWords(filter: ViewFilter, columns: readonly ViewColumn[]): string {
  const column = columns.find(({ name }) => name === filter.column) ?? { name: filter.column, type: "string" };
  const values = filter.values.map((_, at) => valueWords(filter, at, column));
  if (filter.operator === "between") return `${column.name} is between ${values.join(" and ")} (inclusive)`;
  return [column.name, operatorWords(filter.operator, column.type), listWords(values, "or")]
    .filter((part) => part !== "")
    .join(" ");
}

function valueWords(filter: ViewFilter, at: number, column: ViewColumn): string {
  const text = filter.values[at] ?? "";
  const value = filterValue({ operator: "eq", values: [text] }, column.type);
  return column.type === "string" ? `“${text}”` : (valueText(value, column) ?? text);
}

function rowsWords(
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
    ? "all columns"
    : `the column${view.columns?.length === 1 ? "" : "s"} ${listWords(view.columns ?? [], "and")}`;
  const rows = part ?? (view.limit === undefined ? undefined : firstWords(view.limit, "row"));
  return `${what} of ${rows === undefined ? "all rows" : `the ${rows}`} of ${table}${condition}${orderWords(view)}`;
}

const firstWords = (count: number, noun: string): string =>
  count === 1 ? `first ${noun}` : `first ${formatCount(count)} ${noun}s`;

function groupedWords(view: View, table: string, condition: string, part: string | undefined): string {
  const results = listWords(view.aggregates.map(aggregateWords), "and");
  if (view.group.length === 0) return `${results}, over all rows of ${table}${condition}`;
  const groups = listWords(view.group, "and");
  const first = `; the ${part ?? firstWords(view.limit ?? LIMIT_DEFAULT, "group")}`;
  const what = results === "" ? `each different ${groups}` : `for each ${groups}, ${results}`;
  return `${what}, over all rows of ${table}${condition}${orderWords(view) || `, sorted by ${groups}`}${first}`;
}

const aggregateWords = ({ function: name, column }: ViewAggregate): string =>
  `the ${AGGREGATES[name].english}${column === undefined ? "" : ` of ${column}`}`;

function orderWords({ sort }: View): string {
  const keys = sort.map(({ column, descending }) => `${column}${descending ? " in descending order" : ""}`);
  return keys.length > 0 ? `, sorted by ${keys.join(", then by ")}` : "";
}

/** `a`, `a and b`, `a, b and c`. */
function listWords(items: readonly string[], link: "and" | "or"): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} ${link} ${last}`;
}
