import { isGroupedView, type View, type ViewColumn } from "@/components/explorer/view/view";
import { type PageOfView, queryText, viewQuery } from "@/components/explorer/view/view-query";
import type { Problem } from "./problem";
import type { AnswerFacts, ReplyPage } from "./reply-text";

/** Of a query: `asking` for its first page, `continuing` for the next, `done` until more is asked for, `failed`. */
export type Phase = "asking" | "continuing" | "done" | "failed";

/** What the service answered, with the view that it answers. */
export interface Answered {
  /** Of the query that was answered. */
  key: string;
  view: View;
  /** Rows as JSON text, from the first on. */
  rows: readonly string[];
  /** How many of the rows came with the first page. */
  firstRows: number;
  columns: readonly ViewColumn[];
  /** Of the newest page. */
  facts: AnswerFacts;
  next: string | null;
}

/** What is known of the query that the page asks, and the last answer, which may be to another query. */
export interface AnswerState {
  key: string;
  phase: Phase;
  answered?: Answered | undefined;
  problem?: Problem | undefined;
}

export const answerKey = (view: View, columns: readonly ViewColumn[]): string => queryText(viewQuery(view, columns));

/** Whether the last answer is the answer to the query with this key: only then may it be titled, saved or acted on. */
export const isAnswerTo = ({ answered }: AnswerState, key: string): boolean => answered?.key === key;

/** The phase of the query with this key, which may be newer than the state. */
export function phaseOf(state: AnswerState, key: string): Phase {
  if (state.key === key) return state.phase;
  return isAnswerTo(state, key) ? "done" : "asking";
}

/** Asks for the first page of another query. The last answer remains until there is a new one or a refusal. */
export const withQuestion = ({ answered }: AnswerState, key: string): AnswerState => ({
  key,
  phase: "asking",
  answered,
});

/** The state with a page more, which answers `view`. */
export function withPage(state: AnswerState, page: ReplyPage, view: View): AnswerState {
  const before = state.phase === "continuing" ? state.answered : undefined;
  const rows = before ? [...before.rows, ...page.rows] : page.rows;
  const isEnough = !isGroupedView(view) && view.limit !== undefined && rows.length >= view.limit;
  const answered: Answered = {
    key: state.key,
    view,
    rows,
    firstRows: before?.firstRows ?? rows.length,
    columns: page.columns,
    facts: page.facts,
    next: isEnough ? null : page.nextCursor,
  };
  return { key: state.key, phase: "done", answered };
}

/** A refused first page leaves no answer: rows of the query before would be taken for its rows. */
export const withRefusal = (state: AnswerState, problem: Problem): AnswerState => ({
  key: state.key,
  phase: "failed",
  problem,
  ...(state.phase === "continuing" && { answered: state.answered }),
});

/** The view as it may be asked: of more groups than one answer may have, the first. Rows are read page by page. */
export const withinLimit = (view: View, rowsMax: number): View =>
  isGroupedView(view) && view.limit !== undefined && view.limit > rowsMax ? { ...view, limit: rowsMax } : view;

/** What to ask for next: as many rows as one reply may hold, and as the view still lacks. */
export function nextPage(view: View, loaded: number, rowsMax: number, cursor?: string): PageOfView {
  if (isGroupedView(view)) return {};
  const lacking = view.limit === undefined ? undefined : view.limit - loaded;
  const limit = lacking === undefined ? (rowsMax > LIMIT_UNSAID ? rowsMax : undefined) : Math.min(lacking, rowsMax);
  return { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
}

/** A reply's rows where the query names no limit. */
const LIMIT_UNSAID = 100;
