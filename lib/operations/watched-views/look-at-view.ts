import { parseExactJson, stringifyExactJson } from "@/lib/formats/exact-json";
import { Failure } from "@/lib/kernel/errors";
import type { ViewChanged, ViewEvent } from "@/lib/schemas/news";
import type { ViewResult } from "@/lib/schemas/view-result";
import { findPublishedVersion, type TableVersion } from "@/lib/store/datasets/tables";
import type { ClaimedView, Looked } from "@/lib/store/news/watched-results";
import { isDatabaseDown } from "@/lib/store/postgres/database-failure";
import { numericColumns, resultChange, thresholdChange } from "@/lib/view/result-change";
import { type Evaluating, evaluateView, seenResult } from "./evaluate-view";

/** The pause after each attempt that failed for a reason that may pass. After one more, the version is given up. */
const PAUSES_S = [10, 60, 5 * 60, 10 * 60, 10 * 60, 10 * 60] as const;

const UNREADABLE =
  "The table of the view can no longer be read: it was withdrawn or made private, or the person who created the " +
  "watch left the workspace.";

/**
 * Looks at the present version of a watched view's table: evaluates the view and compares the result with the last one.
 * Nothing is stored. `onError` receives failures of the service itself.
 */
export async function lookAtView(
  claimed: ClaimedView,
  evaluating: Evaluating,
  onError: (error: unknown) => void,
): Promise<Looked> {
  const now = evaluating.now();
  if (claimed.present === null) return problem(claimed, UNREADABLE, now);
  if (claimed.attempts > PAUSES_S.length + 1)
    return problem(claimed, "The view could not be evaluated, however often it was tried.", now);
  try {
    return await compared(claimed, await evaluateView(claimed, evaluating), now);
  } catch (error) {
    if (isDatabaseDown(error) || evaluating.signal?.aborted) throw error;
    if (error instanceof Failure && error.code === "not_found") return { kind: "again", pauseMs: 0 };
    if (isLasting(error)) return problem(claimed, error.message, now);
    if (!(error instanceof Failure)) onError(error);
    const pause = PAUSES_S[claimed.attempts - 1];
    if (pause !== undefined) return { kind: "again", pauseMs: pause * 1000 };
    return problem(claimed, reasonOf(error), now);
  }
}

/** Whether a view will fail over this version whenever it is tried. */
const isLasting = (error: unknown): error is Failure =>
  error instanceof Failure && error.status < 500 && error.status !== 429;

const reasonOf = (error: unknown): string =>
  `The view could not be evaluated: ${error instanceof Failure ? error.message : "the service failed."}`;

/** Known problems are not told again. */
function problem(claimed: ClaimedView, reason: string, now: Date): Looked {
  const text = storable(reason);
  const event: ViewEvent = {
    kind: "view_unavailable",
    at: now.toISOString(),
    data: { view: viewOf(claimed), reason: text },
  };
  return { kind: "problem", problem: text, event: text === claimed.problem ? undefined : event };
}

async function compared(
  claimed: ClaimedView,
  found: Awaited<ReturnType<typeof evaluateView>>,
  now: Date,
): Promise<Looked> {
  const { threshold } = claimed;
  const before = parseExactJson(claimed.result) as ViewResult;
  const after = found.result;
  if (threshold && !numericColumns(after.columns).includes(threshold.column))
    return problem(
      claimed,
      `The result has no numeric column ${threshold.column} any more, which the watch needs.`,
      now,
    );
  const met = threshold ? thresholdChange(before, after, threshold) : undefined;
  const change = threshold ? met : resultChange(before, after);
  const seen = seenResult(found);
  if (!change) return { kind: "result", seen, event: undefined };
  const { version } = found;
  const old = await findPublishedVersion(version.datasetId, claimed.resultVersionId);
  const { isMet, ...told } = { isMet: false, ...change };
  const rows = claimed.mayTell ? told.rows : []; // the values before are not for those who may no longer read them
  const event: ViewChanged = {
    kind: "view_changed",
    at: now.toISOString(),
    dataset: {
      id: version.datasetId,
      slug: version.datasetSlug,
      title: claimed.datasetTitle,
      visibility: version.visibility,
    },
    data: {
      view: { ...viewOf(claimed), query: claimed.query },
      table: { id: version.tableId, slug: version.tableSlug },
      before: versionOf(old ?? version, claimed.resultVersionId),
      after: versionOf(version, version.versionId),
      threshold: threshold && { ...threshold, is_met: isMet },
      before_withheld: !claimed.mayTell,
      change: stringifyExactJson({ ...told, rows }),
    },
  };
  return { kind: "result", seen, event };
}

function viewOf({ viewId, query }: ClaimedView) {
  const title = new URLSearchParams(query).get("title");
  return { id: viewId, title: title && storable(title) };
}

/** Text from a URL, without the characters that the database cannot store. */
const storable = (text: string): string => text.replaceAll("\0", " ").toWellFormed();

const versionOf = ({ label, publishedAt }: Pick<TableVersion, "label" | "publishedAt">, id: string) => ({
  id,
  label,
  published_at: publishedAt.toISOString(),
});
