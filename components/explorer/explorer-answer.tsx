"use client";

import { LIMIT_DEFAULT } from "@/lib/engine/grammar/bounds";
import { formatCount } from "@/lib/kernel/format";
import { AnswerFacts } from "./answer/answer-facts";
import { isNarrowed } from "./answer/answer-state";
import { ProblemNotice } from "./answer/problem-notice";
import type { ExplorerState } from "./use-explorer";

/** Content below the rows: errors, and the facts of the answer. */
export function ExplorerAnswer({ state }: { state: ExplorerState }) {
  const { answer, present, loaded, view, isGrouped, hasKey, isKeyed, tiers, table } = state;
  return (
    <>
      {present && answer.problem && (
        <div className="mt-3">
          <ProblemNotice
            problem={answer.problem}
            lead="More rows could not be loaded. The rows above are unaffected."
            onRetry={answer.retry}
            onWaited={answer.retry}
            onKey={isKeyed || !answer.problem.keyHelps ? undefined : () => state.setEditor({ name: "key" })}
            onDropKey={hasKey && answer.problem.code.startsWith("key_") ? () => state.takeKey(undefined) : undefined}
          />
        </div>
      )}
      <AnswerFacts
        phase={answer.phase}
        answered={present}
        loaded={loaded}
        isFiltered={isNarrowed(view)}
        versionsUrl={table.published?.versionsUrl}
        isOld={view.version !== undefined}
      >
        {isGrouped && loaded?.isPartial && (
          <p className="text-muted">
            {moreGroupsText(view.limit, isKeyed ? tiers.keyRows : tiers.anonymousRows, tiers.keyRows)}
          </p>
        )}
      </AnswerFacts>
    </>
  );
}

/** How to see the groups beyond the limit. */
function moreGroupsText(limit: number | undefined, most: number, keyMost: number): string {
  if ((limit ?? LIMIT_DEFAULT) < most) return `Set "Show at most" under Sort to see up to ${formatCount(most)} groups.`;
  const key = most < keyMost ? `, sign in or use an API key (up to ${formatCount(keyMost)} groups)` : "";
  return `To see other groups, add a filter${key}.`;
}
