"use client";

import { formatCount } from "@/lib/format";
import { AnswerFacts } from "./answer-facts";
import { CountMatches } from "./count-matches";
import { ProblemNotice } from "./problem-notice";
import type { ExplorerState } from "./use-explorer";

/** What stands below the rows: what went wrong, and what the answer rests on. */
export function ExplorerAnswer({ state }: { state: ExplorerState }) {
  const { answer, problem, view, columns, isGrouped, total, hasKey, tiers, table } = state;
  const isRefusedKey = hasKey && problem?.code.startsWith("key_");
  return (
    <>
      {problem && (
        <div className="mt-3">
          <ProblemNotice
            problem={problem}
            onRetry={state.retry}
            onKey={hasKey ? undefined : () => state.setEditor({ name: "key" })}
            onDropKey={isRefusedKey ? () => state.takeKey(undefined) : undefined}
          />
        </div>
      )}
      <AnswerFacts answer={answer} total={total} isGrouped={isGrouped} versionsUrl={table.versionsUrl} isOld={view.version !== undefined}>
        {!isGrouped && total === undefined && answer.next !== null && <CountMatches key={answer.key} view={view} columns={columns} route={state.route} />}
        {isGrouped && answer.facts?.truncated && (
          <p className="text-muted">
            There are more groups: add a filter{hasKey ? "" : `, or set a larger limit with a key, up to ${formatCount(tiers.keyRows)}`}.
          </p>
        )}
      </AnswerFacts>
    </>
  );
}
