"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { type AnswerState, answerKey, nextPage, withPage } from "./answer-state";
import { askPage, type Route } from "./ask";
import type { View, ViewColumn } from "./view";
import { queryText, viewQuery } from "./view-query";

export interface Question {
  view: View;
  columns: readonly ViewColumn[];
  route: Route;
  /** The most rows that one reply is asked for. */
  rowsMax: number;
}

export interface Answer extends AnswerState {
  /** Asks for the next page, where there is one. */
  more: () => void;
  /** Asks again what failed. */
  retry: () => void;
}

/** Views that are stepped through quickly are not all asked for. */
const SETTLE_MS = 120;
const REMEMBERED_MAX = 30;

/**
 * The answer to a view, page by page. A view that was answered before is not asked again; one that was overtaken is
 * called off.
 */
export function useAnswer(question: Question, first: AnswerState): Answer {
  const key = answerKey(question.view, question.columns);
  const [state, setState] = useState<AnswerState>(first);
  const [attempt, setAttempt] = useState(0);
  const now = useRef({ question, state });
  now.current = { question, state };
  const running = useRef<AbortController>(undefined);
  const answered = useRef(new Map<string, AnswerState>());

  const settle = useCallback((next: AnswerState) => {
    if (next.phase === "done") remember(answered.current, next);
    setState(next);
  }, []);

  const ask = useCallback(
    async (from: AnswerState) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      setState(from);
      const { view, columns, route, rowsMax } = now.current.question;
      const page =
        from.phase === "continuing"
          ? nextPage(view, from.rows.length, rowsMax, from.next ?? undefined)
          : nextPage(view, 0, rowsMax);
      const asked = await askPage(route, queryText(viewQuery(view, columns, page)), controller.signal);
      if (!asked || controller.signal.aborted) return;
      settle(asked.data ? withPage(from, asked.data, view) : { ...from, phase: "failed", problem: asked.problem });
    },
    [settle],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks the same again.
  useEffect(() => {
    const { state: shown } = now.current;
    if (shown.key === key && shown.phase !== "asking") return;
    const known = answered.current.get(key);
    if (known) return settle(known);
    const asking: AnswerState = { ...shown, key, phase: "asking", problem: undefined, next: null };
    setState(asking);
    const timer = setTimeout(() => void ask(asking), SETTLE_MS);
    return () => {
      clearTimeout(timer);
      running.current?.abort();
    };
  }, [key, attempt, ask, settle]);

  const more = useCallback(() => {
    const { state: shown } = now.current;
    if (shown.phase === "done" && shown.next !== null) void ask({ ...shown, phase: "continuing" });
  }, [ask]);

  const retry = useCallback(() => {
    const { state: shown } = now.current;
    if (shown.phase !== "failed") return;
    if (shown.next !== null) return void ask({ ...shown, phase: "continuing", problem: undefined });
    setState({ ...shown, phase: "asking", problem: undefined });
    setAttempt((count) => count + 1);
  }, [ask]);

  return { ...state, more, retry };
}

function remember(answered: Map<string, AnswerState>, state: AnswerState): void {
  answered.delete(state.key);
  answered.set(state.key, state);
  const [oldest] = answered.keys();
  if (answered.size > REMEMBERED_MAX && oldest !== undefined) answered.delete(oldest);
}
