import "server-only";
import type { View } from "@/components/explorer/view/view";
import { queryText, viewQuery } from "@/components/explorer/view/view-query";
import type { Context } from "@/lib/access/context";
import { takeQuery } from "@/lib/access/quotas";
import { parseJsonBody } from "@/lib/engine/grammar/body";
import { parseExactJson } from "@/lib/formats/exact-json";
import { processWide } from "@/lib/kernel/process-wide";
import { PromiseCache } from "@/lib/kernel/promise-cache";
import { execute } from "@/lib/operations/execute";
import { queryTableAnonymously } from "@/lib/operations/query-table";
import type { Column } from "@/lib/schemas/column";
import type { QueryReply } from "@/lib/schemas/query-reply";

/** Each is at most a page of the anonymous, 64 KiB. */
const ANSWERS_MAX = 256;

const answers = () => processWide("embed-answers", () => new PromiseCache<QueryReply>(ANSWERS_MAX));

/**
 * The reply to a view of one version. Versions never change, so what was answered once is answered again from memory,
 * for everybody:
 * a frame on a page that many read costs one query. Whoever asks something new pays for it from their address's
 * allowance, as over the API.
 */
export async function answerOnce(
  tableId: string,
  view: View & { version: string },
  columns: readonly Column[],
  ctx: Context,
): Promise<QueryReply> {
  const body = queryText(viewQuery(view, columns));
  return await answers().get(`${tableId} ${body}`, () => ask(tableId, body, ctx));
}

async function ask(tableId: string, body: string, ctx: Context): Promise<QueryReply> {
  await takeQuery(ctx);
  const input = { path: { table_id: tableId }, body: parseJsonBody(body) as never };
  const { page } = await execute(queryTableAnonymously, input, { ...ctx, signal: undefined });
  return parseExactJson(Buffer.from(page.body).toString()) as QueryReply;
}
