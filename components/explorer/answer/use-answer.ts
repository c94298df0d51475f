"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { queryText, type View, type ViewColumn, viewQuery } from "@/lib/view/view";
import {
  type Answered,
  type AnswerState,
  answerKey,
  isAnswerTo,
  nextPage,
  phaseOf,
  withPage,
  withQuestion,
  withRejection,
} from "./answer-state";
import { askPage, type Route } from "./ask";

export interface Question {
  view: View;
  columns: readonly ViewColumn[];
  route: Route;
  /** The maximum number of rows requested at once. */
  rowsMax: number;
}

export interface Answer extends AnswerState {
  /** Whether `answered` answers the current view; otherwise it may only be shown as the previous answer. */
  isPresent: boolean;
  /** Requests the next page, if there is one. */
  more: () => void;
  /** Retries what failed. */
  retry: () => void;
}

/** Views that are only passed through quickly are not requested. */
const SETTLE_MS = 120;
const REMEMBERED_MAX = 30;

/** The answer to a view, page by page. An answered view is not requested again; a superseded request is aborted. */
export function useAnswer(question: Question, first: AnswerState): Answer {
  const key = answerKey(question.view, question.columns);
  const [state, setState] = useState<AnswerState>(first);
  const [attempt, setAttempt] = useState(0);
  const now = useRef({ question, state });
  now.current = { question, state };
  const running = useRef<AbortController>(undefined);
  const remembered = useRef(new Map<string, Answered>());

  const ask = useCallback(async (from: AnswerState) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState(from);
    const { view, columns, route, rowsMax } = now.current.question;
    const page = pageAfter(from, view, rowsMax);
    const asked = await askPage(route, queryText(viewQuery(view, columns, page)), controller.signal);
    if (!asked || controller.signal.aborted) return;
    const next = asked.data ? withPage(from, asked.data, view) : withRejection(from, asked.problem);
    if (asked.data && next.answered) remember(remembered.current, next.answered);
    setState(next);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` repeats the request.
  useEffect(() => {
    const { state: shown } = now.current;
    if (shown.key === key && shown.phase !== "asking") return;
    running.current?.abort(); // requests in flight, including further pages, belong to the previous view
    const known = remembered.current.get(key);
    if (known) return setState({ key, phase: "done", answered: known });
    const asking = withQuestion(shown, key);
    setState(asking);
    const timer = setTimeout(() => void ask(asking), SETTLE_MS);
    return () => {
      clearTimeout(timer);
      running.current?.abort();
    };
  }, [key, attempt, ask]);

  const more = useCallback(() => {
    const { question: asked, state: shown } = now.current;
    if (shown.key !== answerKey(asked.view, asked.columns)) return;
    if (shown.phase === "done" && shown.answered?.next) void ask({ ...shown, phase: "continuing" });
  }, [ask]);

  const retry = useCallback(() => {
    const { state: shown } = now.current;
    if (shown.phase !== "failed") return;
    if (shown.answered) return void ask({ ...shown, phase: "continuing", problem: undefined });
    setState(withQuestion(shown, shown.key));
    setAttempt((count) => count + 1);
  }, [ask]);

  return {
    ...state,
    phase: phaseOf(state, key),
    problem: state.key === key ? state.problem : undefined,
    isPresent: isAnswerTo(state, key),
    more,
    retry,
  };
}

function pageAfter({ phase, answered }: AnswerState, view: View, rowsMax: number) {
  if (phase !== "continuing" || !answered) return nextPage(view, 0, rowsMax);
  return nextPage(view, answered.rows.length, rowsMax, answered.next ?? undefined);
}

function remember(remembered: Map<string, Answered>, answered: Answered): void {
  remembered.delete(answered.key);
  remembered.set(answered.key, answered);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
}
