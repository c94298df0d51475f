import "server-only";
import type { View } from "@/components/explorer/view/view";
import { queryText, viewQuery } from "@/components/explorer/view/view-query";
import type { Context } from "@/lib/access/context";
import { takeQuery } from "@/lib/access/quotas";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { parseExactJson } from "@/lib/formats/exact-json";
import { Failure } from "@/lib/kernel/errors";
import { processWide } from "@/lib/kernel/process-wide";
import { PromiseCache } from "@/lib/kernel/promise-cache";
import { execute } from "@/lib/operations/execute";
import { queryTableAnonymously } from "@/lib/operations/query-table";
import type { Column } from "@/lib/schemas/column";
import type { QueryReply } from "@/lib/schemas/query-reply";

/** Each is at most an anonymous page, 64 KiB. */
const ANSWERS_MAX = 256;

const answers = () => processWide("embed-answers", () => new PromiseCache<QueryReply>(ANSWERS_MAX));

/**
 * The reply to a view of one version. Versions never change, so a reply is cached for everybody: a frame on a popular
 * page costs one query. New views count against the caller's address, as over the API.
 */
export async function answerOnce(
  tableId: string,
  view: View & { version: string },
  columns: readonly Column[],
  ctx: Context,
): Promise<QueryReply> {
  const body = queryText(viewQuery(view, columns));
  return await answers().getOwn(`${tableId} ${body}`, () => ask(tableId, body, ctx), isCallersOwn);
}

/** A used-up quota, and a turn of the engine that did not come, say nothing about other callers. */
const isCallersOwn = (error: unknown): boolean =>
  error instanceof Failure && (error.status === 429 || error.code === "busy");

async function ask(tableId: string, body: string, ctx: Context): Promise<QueryReply> {
  await takeQuery(ctx);
  const input = { path: { table_id: tableId }, body: parseJsonBody(body) as never };
  const { page } = await execute(queryTableAnonymously, input, { ...ctx, signal: undefined });
  return parseExactJson(Buffer.from(page.body).toString()) as QueryReply;
}
