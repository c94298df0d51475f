import "server-only";
import type { Context } from "@/lib/access/context";
import { takeQuery } from "@/lib/access/quotas";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { parseExactJson } from "@/lib/formats/exact-json";
import { processCache } from "@/lib/kernel/cache";
import { Failure } from "@/lib/kernel/errors";
import { execute } from "@/lib/operations/execute";
import { queryTable, queryTableAnonymously, queryTableForChart } from "@/lib/operations/query-table";
import type { Column } from "@/lib/schemas/column";
import type { QueryReply } from "@/lib/schemas/query-reply";
import { type PageOfView, queryText, type View, viewQuery } from "@/lib/view/view";

/** Each is at most an anonymous page, 64 KiB, or a chart's, 512 KiB. */
const ANSWERS_MAX = 128;

const answers = () => processCache<QueryReply>("embed-answers", { capacity: ANSWERS_MAX });

/**
 * The reply to a view of one version. Versions never change, so a reply is cached for everyone, and a frame on a
 * popular page costs one query. New views count against the caller's IP address, as over the API. What a private
 * dataset replies to a member is not cached, and neither is what other tables, of no fixed version, add.
 */
export async function answerOnce(
  tableId: string,
  view: View & { version: string },
  columns: readonly Column[],
  ctx: Context,
  page: ChartPage = {},
): Promise<QueryReply> {
  const { isChart = false, ...of } = page;
  const body = queryText(viewQuery(view, columns, of));
  if (ctx.membership || (view.lookups ?? []).length > 0) return await ask(tableId, body, isChart, ctx);
  const key = `${tableId} ${isChart ? "chart " : ""}${body}`;
  return await answers().getOwn(key, () => ask(tableId, body, isChart, ctx), isCallersOwn);
}

/** A chart's query may have more rows than a page. */
type ChartPage = PageOfView & { isChart?: true };

/** An exhausted quota or a busy engine says nothing about other callers. */
const isCallersOwn = (error: unknown): boolean =>
  error instanceof Failure && (error.status === 429 || error.code === "busy");

async function ask(tableId: string, body: string, isChart: boolean, ctx: Context): Promise<QueryReply> {
  await takeQuery(ctx);
  const page = await readPage(tableId, body, { ...ctx, signal: undefined }, isChart);
  return parseExactJson(Buffer.from(page).toString()) as QueryReply;
}

/**
 * The reply to a query of a page, as JSON: one without a key or, for a private dataset, one of the member who reads it.
 */
export async function readPage(tableId: string, body: string, ctx: Context, isChart = false): Promise<Uint8Array> {
  const input = { path: { table_id: tableId }, body: parseJsonBody(body) as never };
  const operation = ctx.membership ? queryTable : isChart ? queryTableForChart : queryTableAnonymously;
  return (await execute(operation, input, ctx)).page.body;
}
