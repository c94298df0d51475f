"use client";

import { useEffect, useRef } from "react";
import { ProblemNotice } from "./answer/problem-notice";
import { focusResults } from "./answer/results-focus";
import type { ExplorerState } from "./use-explorer";
import { WHOLE_TABLE } from "./view/view";

/** Stands where title, chart and rows would: why there is no answer, what was asked, and the ways on. */
export function RefusedView({ state, sentence }: { state: ExplorerState; sentence: string }) {
  const { answer, view, worked, hasKey, change } = state;
  const box = useRef<HTMLDivElement>(null);
  const { problem } = answer;
  const hasWorked = worked !== undefined;
  // The control that asked may be gone with the rows: the reading goes on here.
  useEffect(() => {
    const notice = box.current?.querySelector<HTMLElement>("[role=alert]");
    if (!problem || !notice || !hasWorked) return;
    notice.scrollIntoView({ block: "nearest" });
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body || activeElement.contains(notice))
      notice.focus({ preventScroll: true });
  }, [problem, hasWorked]);
  if (!problem) return null;
  const isRefusedKey = hasKey && problem.code.startsWith("key_");
  const version = problem.code === "not_found" ? undefined : view.version;
  const isWhole =
    view.filters.length + view.sort.length + view.group.length + view.aggregates.length === 0 &&
    view.version === version;
  const back = worked ?? (isWhole ? undefined : { ...WHOLE_TABLE, version });
  return (
    <div ref={box} className="refused-view">
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
        onKey={hasKey || !problem.keyHelps ? undefined : () => state.setEditor({ name: "key" })}
        onDropKey={isRefusedKey ? () => state.takeKey(undefined) : undefined}
      />
    </div>
  );
}
