"use client";

import { useEffect, useRef } from "react";
import { WHOLE_TABLE } from "@/lib/view/view";
import { ProblemNotice } from "./answer/problem-notice";
import { focusResults } from "./answer/results-focus";
import type { ExplorerState } from "./use-explorer";

/** Replaces title, chart and rows: why there is no answer, what was requested, and what to do next. */
export function RejectedView({ state, sentence }: { state: ExplorerState; sentence: string }) {
  const { answer, view, worked, hasKey, isKeyed, change } = state;
  const box = useRef<HTMLDivElement>(null);
  const { problem } = answer;
  const hasWorked = worked !== undefined;
  // The control that sent the query may have disappeared with the rows, so the focus moves here.
  useEffect(() => {
    const notice = box.current?.querySelector<HTMLElement>("[role=alert]");
    if (!problem || !notice || !hasWorked) return;
    notice.scrollIntoView({ block: "nearest" });
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body || activeElement.contains(notice))
      notice.focus({ preventScroll: true });
  }, [problem, hasWorked]);
  if (!problem) return null;
  const isRejectedKey = hasKey && problem.code.startsWith("key_");
  const version = problem.code === "not_found" ? undefined : view.version;
  const isWhole =
    view.filters.length + view.order_by.length + view.group_by.length + view.aggregates.length === 0 &&
    view.version === version;
  const back = worked ?? (isWhole ? undefined : { ...WHOLE_TABLE, lookups: view.lookups, version });
  return (
    <div ref={box} className="rejected-view">
      <ProblemNotice
        problem={problem}
        asked={sentence}
        onRetry={() => {
          focusResults();
          answer.retry();
        }}
        onWaited={answer.retry}
        onBack={
          back && {
            words: worked ? "Back to the last view that worked" : "Show the whole table",
            go: () => {
              focusResults();
              change(back);
            },
          }
        }
        onKey={isKeyed || !problem.keyHelps ? undefined : () => state.setEditor({ name: "key" })}
        onDropKey={isRejectedKey ? () => state.takeKey(undefined) : undefined}
      />
    </div>
  );
}
