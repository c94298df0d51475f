import type { Problem } from "./problem";
import type { AnswerFacts, ReplyPage } from "./reply-text";
import { isGroupedView, type View, type ViewColumn } from "./view";
import { type PageOfView, queryText, viewQuery } from "./view-query";

/**
 * Where an answer stands: `asking` for its first page, `continuing` for the next, `done` until more is asked for,
 * `failed`.
 */
export type Phase = "asking" | "continuing" | "done" | "failed";

/** What is known of a view's answer. While a new one is asked for, the rows of the old one stay. */
export interface AnswerState {
  /** Of the query that is asked. */
  key: string;
  phase: Phase;
  /** Rows as JSON text, from the first on. */
  rows: readonly string[];
  columns: readonly ViewColumn[];
  /** Of the newest page. */
  facts?: AnswerFacts | undefined;
  next: string | null;
  problem?: Problem | undefined;
}

export const answerKey = (view: View, columns: readonly ViewColumn[]): string => queryText(viewQuery(view, columns));

/** The state with a page more. */
export function withPage(state: AnswerState, page: ReplyPage, view: View): AnswerState {
  const rows = state.phase === "continuing" ? [...state.rows, ...page.rows] : page.rows;
  const isEnough = !isGroupedView(view) && view.limit !== undefined && rows.length >= view.limit;
  return {
    key: state.key,
    phase: "done",
    rows,
    columns: page.columns,
    facts: page.facts,
    next: isEnough ? null : page.nextCursor,
  };
}

/** What to ask for next: as many rows as one reply may hold, and as the view still lacks. */
export function nextPage(view: View, loaded: number, rowsMax: number, cursor?: string): PageOfView {
  if (isGroupedView(view)) return {};
  const lacking = view.limit === undefined ? undefined : view.limit - loaded;
  const limit = lacking === undefined ? (rowsMax > LIMIT_UNSAID ? rowsMax : undefined) : Math.min(lacking, rowsMax);
  return { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
}

/** A reply's rows where the query names no limit. */
const LIMIT_UNSAID = 100;
