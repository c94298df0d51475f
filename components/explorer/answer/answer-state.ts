import {
  firstPlace,
  isGroupedView,
  type PageOfView,
  queryText,
  type View,
  type ViewColumn,
  viewQuery,
} from "@/lib/view/view";
import { readView, viewSearch } from "@/lib/view/view-address";
import type { Problem } from "./problem";
import type { AnswerFacts, ReplyPage } from "./reply-text";

/**
 * The phase of a query: `asking` for its first page, `continuing` for the next, `done` until more is requested,
 * `failed`.
 */
export type Phase = "asking" | "continuing" | "done" | "failed";

/** The service's answer, with the view that it answers. */
export interface Answered {
  /** The key of the query that was answered. */
  key: string;
  view: View;
  /** Rows as JSON text, from the first on. */
  rows: readonly string[];
  /** Number of rows on the first page. */
  firstRows: number;
  columns: readonly ViewColumn[];
  /** Of the newest page. */
  facts: AnswerFacts;
  next: string | null;
}

/** The state of the page's current query, and the last answer, which may belong to another query. */
export interface AnswerState {
  key: string;
  phase: Phase;
  answered?: Answered | undefined;
  problem?: Problem | undefined;
}

/** A state as a page sends it to browsers: with the answered view's address, as pages cannot send its numbers. */
export type SentAnswer = Omit<AnswerState, "answered"> & {
  answered?: (Omit<Answered, "view"> & { search: string }) | undefined;
};

export function sentAnswer({ answered, ...state }: AnswerState): SentAnswer {
  if (!answered) return state;
  const { view, ...rest } = answered;
  return { ...state, answered: { ...rest, search: viewSearch(view) } };
}

export function receivedAnswer({ answered, ...state }: SentAnswer, columns: readonly ViewColumn[]): AnswerState {
  if (!answered) return state;
  const { search, ...rest } = answered;
  return { ...state, answered: { ...rest, view: readView(new URLSearchParams(search), columns).view } };
}

export const answerKey = (view: View, columns: readonly ViewColumn[]): string =>
  queryText(viewQuery(view, columns, firstPlace(view)));

/** Whether the last answer belongs to the query with this key: only then may it be titled, saved or used. */
export const isAnswerTo = ({ answered }: AnswerState, key: string): boolean => answered?.key === key;

/** The phase of the query with this key, which may be newer than the state. */
export function phaseOf(state: AnswerState, key: string): Phase {
  if (state.key === key) return state.phase;
  return isAnswerTo(state, key) ? "done" : "asking";
}

/** Requests the first page of another query. The last answer remains until there is a new one or an error. */
export const withQuestion = ({ answered }: AnswerState, key: string): AnswerState => ({
  key,
  phase: "asking",
  answered,
});

/** The state with one more page, which answers `view`. */
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
    facts: {
      ...page.facts,
      total: page.facts.total ?? before?.facts.total,
      notes: page.facts.notes ?? before?.facts.notes,
    },
    next: isEnough ? null : page.nextCursor,
  };
  return { key: state.key, phase: "done", answered };
}

/** An error on the first page leaves no answer: rows of the previous query would be mistaken for its rows. */
export const withRejection = (state: AnswerState, problem: Problem): AnswerState => ({
  key: state.key,
  phase: "failed",
  problem,
  ...(state.phase === "continuing" && { answered: state.answered }),
});

/** The view as it can be sent: groups are limited to what one reply may hold. Rows are read page by page. */
export function withinLimit(view: View, rowsMax: number): View {
  if (!isGroupedView(view)) return view;
  const limit = Math.min(view.limit ?? (rowsMax > LIMIT_UNSAID ? GROUPS_KEYED : LIMIT_UNSAID), rowsMax);
  return limit === (view.limit ?? LIMIT_UNSAID) ? view : { ...view, limit };
}

/** The next limit: the rows that the view still lacks, up to the maximum of one reply. */
export function nextPage(view: View, loaded: number, rowsMax: number, cursor?: string): PageOfView {
  const isCounted = cursor === undefined && (isGroupedView(view) || isNarrowed(view));
  const once = isCounted && { total: true, notes: true };
  if (isGroupedView(view)) return { ...once };
  const lacking = view.limit === undefined ? undefined : view.limit - loaded;
  const limit = lacking === undefined ? (rowsMax > LIMIT_UNSAID ? rowsMax : undefined) : Math.min(lacking, rowsMax);
  const place = cursor === undefined ? firstPlace(view) : { cursor };
  return { ...once, ...(limit !== undefined && { limit }), ...place };
}

/** Number of rows in a reply to a query without a limit. */
const LIMIT_UNSAID = 100;
/** Groups of a view that names no limit, for readers with a key or a session. */
const GROUPS_KEYED = 1000;

/** Whether a view leaves rows out by their values. */
export const isNarrowed = ({ filters, search, near, top }: View): boolean =>
  filters.length > 0 || search !== undefined || near?.km !== undefined || top !== undefined;

/** Whether the nth row of a view is the nth of the version. */
export const isAsStored = (view: View): boolean =>
  !isGroupedView(view) && !isNarrowed(view) && view.order_by.length === 0;
