"use client";

import { LIMIT_DEFAULT } from "@/lib/engine/grammar/bounds";
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
      <AnswerFacts
        answer={answer}
        total={total}
        isGrouped={isGrouped}
        versionsUrl={table.versionsUrl}
        isOld={view.version !== undefined}
      >
        {!isGrouped && total === undefined && answer.next !== null && (
          <CountMatches key={answer.key} view={view} columns={columns} route={state.route} />
        )}
        {isGrouped && answer.facts?.truncated && (
          <p className="text-muted">
            {moreGroupsText(view.limit, hasKey ? tiers.keyRows : tiers.anonymousRows, tiers.keyRows)}
          </p>
        )}
      </AnswerFacts>
    </>
  );
}

/** The way to the groups beyond the limit. */
function moreGroupsText(limit: number | undefined, most: number, keyMost: number): string {
  if ((limit ?? LIMIT_DEFAULT) < most)
    return `There are more groups: raise the limit, beside the order, up to ${formatCount(most)}.`;
  return (
    "There are more groups: add a " +
    `filter${most < keyMost ? `, or raise the limit with a use key, up to ${formatCount(keyMost)}` : ""}.`
  );
}
