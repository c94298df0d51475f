import { AGGREGATES_MAX, COLUMNS_MAX, FILTERS_MAX, GROUPS_MAX, ORDER_MAX } from "@/lib/engine/grammar/bounds";
import { didYouMean, MEANT_MAX } from "@/lib/engine/grammar/did-you-mean";
import { AGGREGATES, isAggregateName } from "@/lib/engine/types/aggregates";
import { columnTypeOf, functionsFor, isOrderable } from "@/lib/engine/types/column-types";
import { isOperatorName, OPERATORS } from "@/lib/engine/types/operators";
import { isUuid } from "@/lib/kernel/uuid";
import { filterFaults } from "./filter-values";
import { withInstants } from "./instant-filter";
import { splitParts, unpackName } from "./name-list";
import {
  isGroupedView,
  type View,
  type ViewAggregate,
  type ViewChart,
  type ViewColumn,
  type ViewFilter,
  type ViewSort,
} from "./view";

/** Where parts are read from, and where faults go. */
export interface Reading {
  all: (parameter: string) => string[];
  /** How many faults there are already. */
  faults: () => number;
  columns: readonly ViewColumn[];
  refuse: (parameter: string, text: string, message: string) => void;
}

const LIMIT_MAX = 10_000;
const ALIAS = /^[A-Za-z_]\w{0,62}$/;

/** Each part of a view, as far as the table's columns allow. */
export function readParts(reading: Reading): View {
  const group = readNames(reading, "group", GROUPS_MAX, groupFault);
  const aggregates = readAggregates(reading, group);
  const columns = readNames(reading, "columns", COLUMNS_MAX, () => undefined);
  const results = isGroupedView({ group, aggregates })
    ? [...group, ...aggregates.map((entry) => entry.alias)]
    : reading.columns.filter(isOrdered).map((column) => column.name);
  const shown = isGroupedView({ group, aggregates }) ? results : reading.columns.map((column) => column.name);
  return {
    columns: columns.length > 0 ? columns : undefined,
    filters: bounded(reading, "filter", reading.all("filter"), FILTERS_MAX).flatMap(
      (text) => readFilter(reading, text) ?? [],
    ),
    sort: readSort(reading, group.length === 0 && aggregates.length > 0 ? [] : results),
    group,
    aggregates,
    limit: readLimit(reading),
    chart: readChart(reading, shown),
    version: readVersion(reading),
  };
}

function readNames(
  reading: Reading,
  parameter: string,
  most: number,
  faultOf: (column: ViewColumn) => string | undefined,
): string[] {
  const names = [...new Set(reading.all(parameter).flatMap((text) => text.split(",").map(unpackName)))].filter(
    (name) => name !== "" || has(reading, ""),
  );
  return bounded(reading, parameter, names, most).filter((name) => {
    const column = reading.columns.find((entry) => entry.name === name);
    const message = column ? faultOf(column) : unknown(reading, "column", name, namesOf(reading));
    if (message) reading.refuse(parameter, name, message);
    return message === undefined;
  });
}

function readFilter(reading: Reading, text: string): ViewFilter | undefined {
  const [name = "", operator = "", rest] = splitParts(text, 3);
  const column = reading.columns.find((entry) => entry.name === unpackName(name));
  const refuse = (message: string) => void reading.refuse("filter", text, message);
  if (!column) return refuse(unknown(reading, "column", unpackName(name), namesOf(reading)));
  if (!isOperatorName(operator)) return refuse(unknown(reading, "operator", operator, Object.keys(OPERATORS)));
  const isList = OPERATORS[operator].arity === "many" || OPERATORS[operator].arity === "two";
  const values = rest === undefined ? [] : isList ? rest.split(",").map(unpackName) : [rest];
  const written: ViewFilter = {
    column: column.name,
    operator,
    values: OPERATORS[operator].arity === "none" ? [] : values,
  };
  const filter = columnTypeOf(column).family === "timestamp" ? withInstants(written) : written;
  const [fault] = filterFaults(filter, column);
  return fault ? refuse(fault.message) : filter;
}

function readAggregates(reading: Reading, group: readonly string[]): ViewAggregate[] {
  const taken = new Set(group.map((name) => name.toLowerCase()));
  return bounded(reading, "agg", reading.all("agg"), AGGREGATES_MAX).flatMap((text) => {
    const [name = "", column = "", alias = ""] = splitParts(text, 3);
    const message = aggregateFault(reading, name, unpackName(column), alias, taken);
    if (message) reading.refuse("agg", text, message);
    if (message || !isAggregateName(name)) return [];
    taken.add(alias.toLowerCase());
    return [{ function: name, alias, ...(AGGREGATES[name].arity > 0 && { column: unpackName(column) }) }];
  });
}

function aggregateFault(
  reading: Reading,
  name: string,
  columnName: string,
  alias: string,
  taken: ReadonlySet<string>,
): string | undefined {
  if (!isAggregateName(name)) return unknown(reading, "function", name, Object.keys(AGGREGATES));
  if (!ALIAS.test(alias))
    return "The result's name is 1 to 63 letters, digits and underscores, not starting with a digit.";
  if (taken.has(alias.toLowerCase())) return `${JSON.stringify(alias)} is already used as a result column.`;
  if (AGGREGATES[name].arity === 0) return columnName === "" ? undefined : `${name} does not take a column.`;
  const column = reading.columns.find((entry) => entry.name === columnName);
  if (!column) return unknown(reading, "column", columnName, namesOf(reading));
  return functionsFor(column.type).includes(name)
    ? undefined
    : `${name} does not apply to ${JSON.stringify(columnName)}, which is of type ${column.type}.`;
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
    reading.refuse(
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
  reading.refuse("limit", text, `The limit must be an integer from 1 to ${LIMIT_MAX}.`);
  return undefined;
}

function readChart(reading: Reading, names: readonly string[]): ViewChart | undefined {
  const [text] = reading.all("chart");
  if (!text) return undefined;
  const [kind = "", x = "", y = "", series] = text.split(":").map(unpackName);
  const missing = [x, y, series ?? ""].find((name) => name !== "" && !names.includes(name));
  if (missing === undefined && /^[a-z]+$/.test(kind)) return { kind, x, y, ...(series !== undefined && { series }) };
  reading.refuse(
    "chart",
    text,
    missing === undefined ? `There is no chart ${JSON.stringify(kind)}.` : unknown(reading, "column", missing, names),
  );
  return undefined;
}

function readVersion(reading: Reading): string | undefined {
  const [text] = reading.all("version");
  if (!text) return undefined;
  if (isUuid(text)) return text.toLowerCase();
  reading.refuse("version", text, "A version is named by its id, a UUID.");
  return undefined;
}

function bounded(reading: Reading, parameter: string, items: string[], most: number): string[] {
  if (items.length > most)
    reading.refuse(parameter, items.slice(most).join(", "), `Too many items: ${items.length} (maximum ${most}).`);
  return items.slice(0, most);
}

function unknown(reading: Reading, what: string, name: string, candidates: readonly string[]): string {
  const meant = reading.faults() < MEANT_MAX ? didYouMean(name, candidates) : undefined;
  return (
    `Unknown ${what} ` +
    `${JSON.stringify(name.slice(0, 100))}.${meant === undefined ? "" : ` Did you mean ${JSON.stringify(meant)}?`}`
  );
}

const isOrdered = (column: ViewColumn): boolean => isOrderable(columnTypeOf(column));
const groupFault = (column: ViewColumn): string | undefined =>
  isOrdered(column)
    ? undefined
    : `${JSON.stringify(column.name)} cannot be used in group_by. Its type is ${column.type}.`;
const namesOf = (reading: Reading): string[] => reading.columns.map((column) => column.name);
const has = (reading: Reading, name: string): boolean => reading.columns.some((column) => column.name === name);
