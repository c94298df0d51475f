import { tableSegment } from "@/lib/describe/links";
import { OPERATORS } from "@/lib/engine/types/operators";
import { packName } from "./name-list";
import { readParts } from "./read-parts";
import { type View, type ViewChart, type ViewColumn, type ViewFilter, type ViewGroup, WORD_NAMES, WORDS } from "./view";

/** A part of a URL that does not apply to the table. It is left out of the view, and the page says so. */
export interface AddressFault {
  parameter: string;
  text: string;
  message: string;
}

export type AddressParameters = URLSearchParams | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads a view from a URL and checks it against the table's columns. Parts that do not apply become faults; nothing
 * throws.
 */
export function readView(
  parameters: AddressParameters,
  columns: readonly ViewColumn[],
): { view: View; faults: AddressFault[] } {
  const faults: AddressFault[] = [];
  const all = (name: string): string[] => {
    if (parameters instanceof URLSearchParams) return parameters.getAll(name);
    const value = parameters[name];
    return value === undefined ? [] : typeof value === "string" ? [value] : [...value];
  };
  const view = readParts({
    all,
    columns,
    faults: () => faults.length,
    reject: (parameter, text, message) => faults.push({ parameter, text, message }),
  });
  return { view, faults };
}

/** The parameters of a view, in a fixed order, so that equal views have equal URLs. */
export function viewParameters(view: Partial<View>): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const filter of view.filters ?? []) parameters.append("filter", filterText(filter));
  addSearch(parameters, view);
  if (view.columns) parameters.append("columns", listText(view.columns));
  if (view.group?.length) parameters.append("group", view.group.map(groupText).join(","));
  addResults(parameters, view);
  if (view.sort?.length)
    parameters.append("sort", view.sort.map((key) => `${key.descending ? "-" : ""}${packName(key.column)}`).join(","));
  if (view.firstRow !== undefined) parameters.append("row", String(view.firstRow));
  if (view.limit !== undefined) parameters.append("limit", String(view.limit));
  if (view.chart) parameters.append("chart", chartText(view.chart));
  for (const name of WORD_NAMES) if (view[name]) parameters.append(WORDS[name], view[name]);
  if (view.version) parameters.append("version", view.version);
  return parameters;
}

/** `line:date:delay:carrier:log:month`, `map:lon:lat:depth:::magnitude`; empty parts at the end are left out. */
function chartText({ kind, x, y, series = "", log, step, size = "" }: ViewChart): string {
  const more = [series, log ? "log" : "", step ?? "", size];
  const said = more.slice(0, more.findLastIndex((part) => part !== "") + 1);
  return [kind, x, y, ...said].map(packName).join(":");
}

function addSearch(parameters: URLSearchParams, { search }: Partial<View>): void {
  if (search) parameters.append("search", search.text);
  if (search?.columns) parameters.append("searchin", listText(search.columns));
}

function addResults(parameters: URLSearchParams, { aggregates = [], having = [] }: Partial<View>): void {
  for (const { function: name, column = "", alias, at, filters = [] } of aggregates) {
    parameters.append("agg", `${name}${at === undefined ? "" : `@${at}`}:${packName(column)}:${alias}`);
    for (const filter of filters) parameters.append("aggfilter", `${alias}:${filterText(filter)}`);
  }
  for (const filter of having) parameters.append("having", filterText(filter));
}

/** The view's query string with its question mark, or nothing; commas and colons are left readable. */
export function viewSearch(view: Partial<View>): string {
  const text = viewParameters(view).toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
  return text && `?${text}`;
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

/** A single value is written as it is; the values of a list are separated by commas. */
function filterText({ column, operator, values, ignoreCase }: ViewFilter): string {
  const { arity } = OPERATORS[operator];
  const head = `${packName(column)}:${operator}${ignoreCase ? "~" : ""}`;
  if (arity === "none") return head;
  return `${head}:${arity === "one" ? (values[0] ?? "") : listText(values)}`;
}

/** `origin`, `date:month:date_month`, `delay:100`: the column, its spans, and the alias if it differs. */
function groupText({ column, bucket, width, alias }: ViewGroup): string {
  const span = bucket ?? width;
  return [column, ...(span === undefined ? [] : [span]), ...(alias === column ? [] : [alias])].map(packName).join(":");
}

const listText = (names: readonly string[]): string => names.map(packName).join(",");
