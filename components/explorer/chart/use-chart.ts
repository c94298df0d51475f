"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { ChartSpec } from "@/components/chart/chart-spec";
import { askPage, type Route } from "@/components/explorer/answer/ask";
import type { Problem } from "@/components/explorer/answer/problem";
import { type AnswerFacts, readRow } from "@/components/explorer/answer/reply-text";
import { queryText, viewQuery } from "@/lib/view/view";
import { chartPlan } from "./chart-plan";
import { type ChartData, type ChartQuestion, type ChartReply, type ChartSubject, runPlan } from "./chart-question";
import { type ChartText, readChart } from "./chart-text";
import { chartKey } from "./wanted-chart";

/** A chart's data, with facts about the version that it was drawn from, if known. */
export interface DrawnChart {
  key: string;
  subject: ChartSubject;
  data: ChartData;
  facts?: AnswerFacts | undefined;
}

export interface ChartState {
  /** The last chart that was complete. */
  drawn: DrawnChart | undefined;
  /** Whether it belongs to the current view. */
  isPresent: boolean;
  problem: Problem | undefined;
  retry: () => void;
}

/** Aborts the plan and carries the service's error. */
class Rejected extends Error {
  constructor(readonly problem: Problem | undefined) {
    super("the chart's query was rejected");
  }
}

interface Held {
  drawn?: DrawnChart | undefined;
  failed?: { key: string; problem: Problem } | undefined;
}

const REMEMBERED_MAX = 12;

/** The chart of a view, from its own queries. A superseded chart is aborted; a complete one is not requested again. */
export function useChart(
  subject: ChartSubject,
  spec: ChartSpec | undefined,
  route: Route,
  first: ChartText | undefined,
): ChartState {
  const key = spec && chartKey(subject.view, spec);
  const [state, setState] = useState<Held>(() =>
    first && first.key === key ? { drawn: { key, subject, data: readChart(first) } } : {},
  );
  const [attempt, setAttempt] = useState(0);
  const known = useRef(new Map<string, DrawnChart>());
  const now = useRef({ subject, spec, route });
  now.current = { subject, spec, route };

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` repeats the request.
  useEffect(() => {
    const { subject: asked, spec: wanted, route: way } = now.current;
    if (key === undefined || !wanted) return;
    const done = known.current.get(key);
    if (done) return setState({ drawn: done });
    if (state.drawn?.key === key) return remember(known.current, state.drawn);
    const controller = new AbortController();
    const show = (drawn: DrawnChart) => {
      remember(known.current, drawn);
      setState({ drawn });
    };
    void complete(key, asked, wanted, way, controller.signal).then(show, (error: unknown) => {
      if (controller.signal.aborted) return;
      const problem = error instanceof Rejected ? error.problem : undefined;
      setState(({ drawn }) => ({ drawn, failed: { key, problem: problem ?? BROKEN } }));
    });
    return () => controller.abort();
  }, [key, attempt]);

  const retry = useCallback(() => {
    setState(({ drawn }) => ({ drawn }));
    setAttempt((count) => count + 1);
  }, []);
  return {
    drawn: state.drawn,
    isPresent: state.drawn !== undefined && state.drawn.key === key,
    problem: state.failed?.key === key ? state.failed?.problem : undefined,
    retry,
  };
}

const BROKEN: Problem = {
  code: "internal",
  title: "We couldn’t draw this chart",
  message: "The service’s response can’t be drawn as a chart.",
  faults: [],
  advice: "Try again, or choose other columns.",
};

async function complete(
  key: string,
  subject: ChartSubject,
  spec: ChartSpec,
  route: Route,
  signal: AbortSignal,
): Promise<DrawnChart> {
  let facts: AnswerFacts | undefined;
  const ask = async ({ view, limit, total }: ChartQuestion): Promise<ChartReply> => {
    const body = queryText(viewQuery(view, subject.columns, { limit, ...(total && { total }) }));
    const asked = await askPage(route, body, signal);
    if (!asked?.data) throw new Rejected(asked?.problem);
    ({ facts } = asked.data);
    const { columns, rows } = asked.data;
    return { columns, rows: rows.map(readRow), total: facts.total, truncated: facts.truncated };
  };
  const data = await runPlan(chartPlan(subject, spec), ask);
  return { key, subject, data, facts };
}

function remember(known: Map<string, DrawnChart>, drawn: DrawnChart): void {
  known.delete(drawn.key);
  known.set(drawn.key, drawn);
  const [oldest] = known.keys();
  if (known.size > REMEMBERED_MAX && oldest !== undefined) known.delete(oldest);
}
