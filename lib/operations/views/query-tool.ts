import { z } from "zod";
import type { Context } from "@/lib/access/context";
import { datasetPage, tableSegment } from "@/lib/describe/links";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { parseExactJson } from "@/lib/formats/exact-json";
import { formatCount } from "@/lib/kernel/format";
import type { AppFacts } from "@/lib/operations/app-facts";
import type { Answer } from "@/lib/operations/reading/query-reply";
import { READING, type ToolReply, toolPart, type Viewed } from "@/lib/operations/tool-part";
import type { queryReplySchema } from "@/lib/schemas/query-reply";
import { citationLine } from "./cited-read";
import { exampleValues } from "./example-values";
import { isGrouped, queryArguments, queryOf, ROWS_DEFAULT, topOf } from "./query-arguments";
import { rowReply, rowReplySchema } from "./row-reply";
import { tooLarge } from "./too-large";

/** Bytes of the rows as lists: both text and structured content contain them, and together remain under 10,000 tokens. */
const BYTES_MAX = 9_000;

type QueryReply = z.output<typeof queryReplySchema>;
type Values = Readonly<Record<string, unknown>>;

/** The REST query, its arguments parsed from the request's own digits, in pages that a model can read. */
export const queryTableTool = toolPart({
  title: "Query a table",
  description:
    "Queries one table: filters (contains, starts_with, ends_with for string only; no gt to between for " +
    "uuid, time; lists take has; structs and json take is_null, is_not_null only), search, order_by, pagination, or " +
    "group_by with aggregates. Let it count and sum instead of reading rows: " +
    '{"aggregates":[{"function":"count","as":"n"}],"filters":[…]}; a month of a date or timestamp is ' +
    '{"group_by":[{"column":"date","bucket":"month"}],…}. Timestamps are YYYY-MM-DDThh:mm:ssZ. ' +
    "The reply's status says COMPLETE, TOP n of all, or PARTIAL: then narrow, aggregate, or pass " +
    "next_cursor as cursor with the same arguments. Requires a use key or a connection.",
  hints: READING,
  input: queryArguments,
  output: rowReplySchema.extend({ execution: z.looseObject({ truncated: z.boolean() }) }),
  toInput: (args: Values, ctx) => queryOf(args, ctx),
  hasApp: true,
  pageBytesMax: BYTES_MAX,
  rejected: (failure, args: Values, ctx) => tooLarge(failure, args, BYTES_MAX, ctx),
  async view(answer: Answer, { args, ctx }: Viewed<unknown, unknown>): Promise<ToolReply> {
    const reply = parseExactJson(Buffer.from(answer.page.body).toString()) as QueryReply;
    const page = pageOf(reply, (args ?? {}) as Values, answer);
    const {
      returned_rows: _r,
      truncated: _t,
      scanned_bytes: _s,
      elapsed_ms: _e,
      notes = [],
      ...more
    } = reply.execution;
    const examples = page.isEmpty ? await exampleValues(answer.version, unnoted(page.args.filters, notes)) : [];
    const reading = rowReply({
      status: statusOf(page),
      advice: [...notes.map(({ message }) => message), ...examples, ...cellAdvice(reply), ...adviceOf(page)],
      columns: reply.columns,
      rows: page.rows,
      nextCursor: page.nextCursor,
      citation: [answer.version, ...answer.lookups].map((version) => citationLine(version, ctx)).join("\n"),
      more: {
        ...(reply.lookups && { lookups: reply.lookups }),
        execution: { truncated: page.isPartial, ...more, ...(notes.length > 0 && { notes }) },
      },
    });
    return { ...reading, app: appFacts(reply, page, answer, ctx) };
  },
});

/** The filters for which no note names near values. */
const unnoted = (filters: unknown, notes: NonNullable<QueryReply["execution"]["notes"]>): unknown => {
  const noted = notes.flatMap(({ pointer, values }) => (values ? [pointer.split("/value")[0]] : []));
  return Array.isArray(filters) ? filters.filter((_, at) => !noted.includes(`/filters/${at}`)) : filters;
};

/** What the app needs to draw the result and to link to the same query. */
function appFacts(
  { columns: shown, lookups: found = [] }: QueryReply,
  { args, noun }: Page,
  { version, lookups }: Answer,
  ctx: Context,
): AppFacts {
  const { table_id: _, ...query } = args;
  const named = new Set([...shown.map(({ name }) => name), ...stringsIn(query)]);
  const other = version.columns.find(({ name }) => !named.has(name)); // tells that these are not all
  return {
    kind: "rows",
    table: {
      dataset: version.datasetSlug,
      name: version.tableName,
      page: `${datasetPage(ctx.baseUrl, version.datasetSlug)}/${tableSegment(version.tableSlug)}`,
    },
    versionId: version.versionId,
    columns: [
      ...version.columns.filter((column) => named.has(column.name) || column === other),
      ...lookups.flatMap(({ columns }, at) =>
        columns
          .map((column) => ({ ...column, name: `${found[at]?.as}.${column.name}` }))
          .filter(({ name }) => named.has(name)),
      ),
    ].map(({ name, type, unit }) => ({ name, type, unit: unit ?? null })),
    query: noun === "group" ? { limit: ROWS_DEFAULT, ...query } : query,
  };
}

const stringsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

/** A long cell is read part by part. */
function cellAdvice({ execution: { cell } }: QueryReply): string[] {
  if (!cell) return [];
  const { chars, offset, next_offset: next } = cell;
  const end = next ?? chars;
  const part = `Characters ${formatCount(offset)} to ${formatCount(end)} of ${formatCount(chars)}.`;
  return next === null ? [part] : [`${part} Continue with the same arguments and cell.offset ${next}.`];
}

interface Page {
  args: Values;
  rows: QueryReply["rows"];
  noun: "row" | "group";
  /** The N of a top N. */
  top: number | undefined;
  /** All rows or groups that match, if known. */
  total: number | undefined;
  /** Whether the last row has the same values in the order as the first one left out; undefined if not known. */
  isTied: boolean;
  isPartial: boolean;
  isEmpty: boolean;
  nextCursor: string | null;
  /** Timestamp columns that are grouped by without a bucket. */
  exactTimes: string[];
}

function pageOf(reply: QueryReply, args: Values, { version, page }: Answer): Page {
  const top = topOf(args);
  const rows = top === undefined ? reply.rows : reply.rows.slice(0, top);
  const [last, next] = [rows.at(-1), reply.rows[rows.length]];
  const isPartial = reply.execution.truncated || next !== undefined;
  const isFiltered = Array.isArray(args.filters) && args.filters.length > 0;
  const isWhole = !page.grouped && !isFiltered && ["search", "near", "top"].every((key) => args[key] === undefined);
  const { total_rows: total } = reply.execution as { total_rows?: unknown };
  return {
    args,
    rows,
    noun: page.grouped ? "group" : "row",
    top,
    total: total === undefined ? (isWhole ? version.rows : undefined) : Number(total),
    isTied: last !== undefined && next !== undefined && sameOrder(last, next, args.order_by),
    isPartial,
    isEmpty: isNothing(rows, args),
    nextCursor: next === undefined ? reply.next_cursor : null,
    exactTimes: exactTimes(args, version.columns),
  };
}

type Row = QueryReply["rows"][number];

function sameOrder(last: Row, next: Row, order: unknown): boolean {
  const columns = (order as { column: string }[]).map(({ column }) => column);
  return columns.every((name) => name in last && String(last[name]) === String(next[name]));
}

/** No row at all, or the count of none. */
function isNothing(rows: readonly Row[], args: Values): boolean {
  if (args.cursor !== undefined || Number(args.offset ?? 0) > 0) return false;
  if (rows.length === 0) return true;
  const [row] = rows;
  const counts = [args.aggregates].flat().filter((each) => (each as Values | undefined)?.function === "count");
  const isOne = isGrouped(args) && !Array.isArray(args.group_by);
  return isOne && counts.some((each) => Number(row?.[String((each as Values).as)]) === 0);
}

const exactTimes = ({ group_by: groups }: Values, columns: Answer["version"]["columns"]): string[] =>
  [groups ?? []]
    .flat()
    .filter((name): name is string =>
      columns.some((one) => one.name === name && columnTypeOf(one).family === "timestamp"),
    );

function statusOf({ rows, noun, top, total, isPartial, args, exactTimes: times }: Page): string {
  const shown = formatCount(rows.length);
  const nouns = `${noun}${rows.length === 1 ? "" : "s"}`;
  const by = times.length > 0 ? ` by the exact time of ${times.join(", ")}` : "";
  const isLater = args.cursor !== undefined || Number(args.offset ?? 0) > 0;
  if (!isPartial) return `COMPLETE: ${shown} ${nouns}${by}${isLater ? " on this last page" : ""}`;
  const all = total === undefined ? "more" : formatCount(total);
  if (top !== undefined) return `TOP ${shown} of ${all} ${noun}s${by}`;
  return total === undefined
    ? `PARTIAL: ${shown} ${nouns}${by}, more exist`
    : `PARTIAL: ${shown} of ${all} ${noun}s${by}`;
}

function adviceOf({ args, noun, top, isTied, isPartial, nextCursor, exactTimes: times }: Page): string[] {
  const offset = Number(args.offset ?? 0);
  const buckets = times.map(
    (column) => `For days or months group by {"column":${JSON.stringify(column)},"bucket":"day"}.`,
  );
  const tie = isTied ? [`The next ${noun} ties with the last one: raise limit to see all that are equal.`] : [];
  if (!isPartial || top !== undefined)
    return [
      ...buckets,
      ...tie,
      ...(isPartial && noun === "row" ? [`For the rows after these send offset ${offset + (top ?? 0)}.`] : []),
    ];
  const rest =
    nextCursor === null
      ? "Groups have no next page: raise limit, filter, or sort so that the relevant groups come first."
      : "Next page: same arguments, cursor = next_cursor.";
  return [...buckets, rest];
}
