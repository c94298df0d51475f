"use client";

import { LIMIT_DEFAULT } from "@/lib/engine/grammar/bounds";
import { formatCount } from "@/lib/kernel/format";
import { AnswerFacts } from "./answer/answer-facts";
import { CountMatches } from "./answer/count-matches";
import { ProblemNotice } from "./answer/problem-notice";
import type { ExplorerState } from "./use-explorer";

/** What stands below the rows: what went wrong, and what the answer rests on. */
export function ExplorerAnswer({ state }: { state: ExplorerState }) {
  const { answer, present, loaded, view, columns, isGrouped, hasKey, tiers, table } = state;
  return (
    <>
      {present && answer.problem && (
        <div className="mt-3">
          <ProblemNotice
            problem={answer.problem}
            lead="More rows could not be loaded. The rows above are unaffected."
            onRetry={answer.retry}
            onWaited={answer.retry}
            onKey={hasKey || !answer.problem.keyHelps ? undefined : () => state.setEditor({ name: "key" })}
            onDropKey={hasKey && answer.problem.code.startsWith("key_") ? () => state.takeKey(undefined) : undefined}
          />
        </div>
      )}
      <AnswerFacts
        phase={answer.phase}
        answered={present}
        loaded={loaded}
        isFiltered={view.filters.length > 0}
        versionsUrl={table.versionsUrl}
        isOld={view.version !== undefined}
      >
        {!isGrouped && loaded?.isPartial && loaded.total === undefined && (
          <CountMatches key={answer.key} view={view} columns={columns} route={state.route} />
        )}
        {isGrouped && loaded?.isPartial && (
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
  if ((limit ?? LIMIT_DEFAULT) < most) return `Set "Show at most" under Sort to see up to ${formatCount(most)} groups.`;
  const key = most < keyMost ? ` or use an API key (up to ${formatCount(keyMost)} groups)` : "";
  return `To see other groups, add a filter${key}.`;
}
