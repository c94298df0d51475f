import "server-only";
import { readPage } from "@/app/embed/answer-once";
import {
  type AnswerState,
  answerKey,
  nextPage,
  withinLimit,
  withPage,
  withRejection,
} from "@/components/explorer/answer/answer-state";
import { problemOf } from "@/components/explorer/answer/problem";
import { readReply } from "@/components/explorer/answer/reply-text";
import type { Context } from "@/lib/access/context";
import { takeQuery } from "@/lib/access/quotas";
import { envelope } from "@/lib/http/envelope";
import { Failure } from "@/lib/kernel/errors";
import { queryText, type View, type ViewColumn, viewQuery } from "@/lib/view/view";

/** The longest that a page waits for its first rows. After that, the browser requests them. */
const PATIENCE_MS = 2500;

/** Requested and counted like any query without a key, or of the member who reads a private dataset. */
export const readCounted = (tableId: string) => async (body: string, ctx: Context) => {
  await takeQuery(ctx);
  return await readPage(tableId, body, ctx);
};

/** The first page of a view as `read` answers its query, whose errors are part of the answer. */
export async function firstAnswer(
  read: (body: string, ctx: Context) => Promise<Uint8Array>,
  wanted: View,
  columns: readonly ViewColumn[],
  rowsMax: number,
  ctx: Context,
): Promise<AnswerState> {
  const view = withinLimit(wanted, rowsMax);
  const asking: AnswerState = { key: answerKey(view, columns), phase: "asking" };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const body = queryText(viewQuery(view, columns, nextPage(view, 0, rowsMax)));
  try {
    const page = await read(body, { ...ctx, signal });
    return withPage(asking, readReply(new TextDecoder().decode(page)), view);
  } catch (error) {
    if (signal.aborted) return asking;
    if (!(error instanceof Failure)) throw error;
    // Caches may keep the page for everyone, so it must not contain temporary errors (no quota left, a busy service).
    // The browser sends the query itself and gets its own error.
    if (error.retryAfterSeconds !== undefined) return asking;
    return withRejection(asking, problemOf(envelope(error, ctx.requestId), null, { keyed: false }));
  }
}
