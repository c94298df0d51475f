import { randomBytes } from "node:crypto";
import type { Context } from "@/lib/access/context";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { parseQuery, runQuery } from "@/lib/engine/run/query";
import { parseExactJson, stringifyExactJson } from "@/lib/formats/exact-json";
import { Failure, fail, failWith } from "@/lib/kernel/errors";
import { formatBytes, formatCount } from "@/lib/kernel/format";
import { locateLookups } from "@/lib/operations/reading/locate-lookups";
import { locateTable } from "@/lib/operations/reading/locate-table";
import { lookedUpColumns } from "@/lib/operations/reading/looked-up-columns";
import { sealedVersions } from "@/lib/operations/reading/read-version";
import { type ResultRow, type ViewResult, WATCHED_BYTES_MAX, WATCHED_ROWS_MAX } from "@/lib/schemas/view-result";
import { hmacKey } from "@/lib/storage/secret";
import type { TableVersion } from "@/lib/store/datasets/tables";
import type { SeenResult } from "@/lib/store/news/watched-results";
import { numericColumns, shownResult } from "@/lib/view/result-change";
import {
  distancesIn,
  groupNames,
  isGroupedView,
  queryText,
  resultColumns,
  type View,
  viewQuery,
  WORD_NAMES,
  WORDS,
} from "@/lib/view/view";
import { readView } from "@/lib/view/view-address";

/** A saved view: its table, and the query string of the explorer's URL. */
export interface WatchedView {
  tableId: string;
  query: string;
}

/** Who evaluates a view: the workspace that reads, and whose turn in the engine it is. */
export interface Evaluating extends Pick<Context, "engine" | "now" | "generation" | "signal"> {
  workspaceId: string;
  subject: string | undefined;
}

/** Parameters of a view that do not change its result. */
const LOOKS: ReadonlySet<string> = new Set(["chart", "row", ...WORD_NAMES.map((name) => WORDS[name])]);

/**
 * All rows of a view's result over the current version of its table, by the explorer's own query. Fails like a query;
 * with the faults of a view that does not fit the table's columns, naming a version, or with a result that is too large
 * to be watched.
 */
export async function evaluateView(
  { tableId, query: address }: WatchedView,
  { workspaceId, subject, ...ctx }: Evaluating,
): Promise<{ version: TableVersion; result: ViewResult; readVersionIds: string[] }> {
  const version = await locateTable(tableId, { workspaceId }, ctx.generation);
  const parameters = new URLSearchParams(address);
  const columns = [...version.columns, ...(await lookedUpColumns(parameters.getAll("lookup"), { workspaceId }, ctx))];
  const view = soundView(parameters, columns);
  const limit = Math.min(view.limit ?? Infinity, WATCHED_ROWS_MAX + 1);
  const body = parseJsonBody(queryText(viewQuery(view, columns, { limit })));
  const query = parseQuery(body, { rowsMax: limit, bytesMax: WATCHED_BYTES_MAX }, version.columns);
  const lookups = await locateLookups(query, [], { workspaceId }, ctx);
  const page = await runQuery(
    await ctx.engine(),
    sealedVersions(version, lookups),
    query,
    { rowsMax: limit, bytesMax: WATCHED_BYTES_MAX },
    {
      secret: hmacKey("cursors"),
      queryId: `qry_${randomBytes(15).toString("base64url")}`,
      elapsedMs: () => 0, // the reply is not sent
      subject,
      signal: ctx.signal,
    },
  ).catch(withOwnWords);
  const isWhole = !page.truncated || page.returnedRows === view.limit;
  if (page.returnedRows > WATCHED_ROWS_MAX || !isWhole) throw tooLarge();
  const rows = parseExactJson(`[${Buffer.concat(page.rowParts).toString()}]`) as ResultRow[];
  const names = page.columns.map(({ name, type }) => ({ name, type }));
  const readVersionIds = [version, ...lookups].map(({ versionId }) => versionId);
  return { version, result: { columns: names, ...placesOf(view, version, names), rows }, readVersionIds };
}

/** The columns of a view's result that a threshold may be of, without evaluating it. Fails in the same way. */
export async function numericResultColumns(
  { tableId, query }: WatchedView,
  workspaceId: string,
  ctx: Pick<Context, "generation" | "now">,
): Promise<string[]> {
  const { columns: own } = await locateTable(tableId, { workspaceId }, ctx.generation);
  const parameters = new URLSearchParams(query);
  const columns = [...own, ...(await lookedUpColumns(parameters.getAll("lookup"), { workspaceId }, ctx))];
  const view = soundView(parameters, columns);
  if (isGroupedView(view)) return numericColumns(resultColumns(view, columns));
  const shown = [...columns, ...distancesIn(view)].filter(({ name }) => view.columns?.includes(name) ?? true);
  return numericColumns(shown);
}

/** A result as it is stored. */
export const seenResult = ({
  version,
  result,
  readVersionIds,
}: Awaited<ReturnType<typeof evaluateView>>): SeenResult => ({
  readVersionIds,
  versionId: version.versionId,
  result: stringifyExactJson(result),
  shown: JSON.stringify(shownResult(result)),
});

/** The view that a URL says, if all of it that changes the result fits the columns. */
function soundView(parameters: URLSearchParams, columns: readonly { name: string; type: string }[]): View {
  if (parameters.get("version") || parameters.get("as_of"))
    throw fail("invalid_value", {
      message: "The view names a version, which never changes. Save it without one, and watch that.",
    });
  const { view, faults } = readView(parameters, columns);
  const own = faults.filter(({ parameter }) => !LOOKS.has(parameter));
  if (own.length > 0)
    throw failWith(
      own.map(({ parameter, text, message }) => ({
        pointer: "/view",
        code: "invalid_value",
        message: `The view does not fit the table: ${parameter}=${text.slice(0, 200)}: ${message}`,
      })),
    );
  return { ...view, firstRow: undefined };
}

/** What identifies rows of the result, and what orders them. */
function placesOf(view: View, { primaryKey }: TableVersion, columns: ViewResult["columns"]) {
  const isKeyed = primaryKey.length > 0 && primaryKey.every((key) => columns.some(({ name }) => name === key));
  const keys = isGroupedView(view) ? groupNames(view) : isKeyed ? primaryKey : null;
  return { keys, order: view.order_by.length > 0 ? view.order_by.map(({ column }) => column) : null };
}

const tooLarge = () =>
  fail("result_too_large", {
    message:
      `The view's result is too large to be watched (maximum ${formatCount(WATCHED_ROWS_MAX)} rows and ` +
      `${formatBytes(WATCHED_BYTES_MAX)}).`,
    fix: "Filter or group its rows, limit their number, or choose fewer columns.",
  });

/** Groups that do not fit are rejected by the engine, in words about queries. */
function withOwnWords(error: unknown): never {
  throw error instanceof Failure && error.code === "result_too_large" ? tooLarge() : error;
}
