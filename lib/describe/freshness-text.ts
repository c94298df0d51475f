import { formatDay, formatUtc } from "@/lib/kernel/format";
import { FRESHNESS_REASONS, RELEASE_CONTINUITY } from "@/lib/schemas/freshness";
import type { FreshnessReport } from "@/lib/schemas/freshness-report";
import type { TableReadings } from "@/lib/schemas/readings";

/** Whether anything can be said about a table's sources; not for files that were prepared. */
export const isRead = ({ reason_code, sources }: Pick<FreshnessReport, "reason_code" | "sources">): boolean =>
  reason_code !== "no_release" && (reason_code !== "no_observation" || sources.length > 0);

type Reading = TableReadings["sources"][number]["readings"][number];
type Judged = Pick<FreshnessReport, "state" | "reason_code">;

/**
 * The state of a table whose sources are watched; undefined if none are or the state is unknown, in which case
 * documents do not mention freshness.
 */
export const knownState = ({ state }: Judged): Exclude<Judged["state"], "unknown"> | undefined =>
  state === "unknown" ? undefined : state;

/** A known state in schema.org's terms. `page` is any page of the service. */
export function statusTerm(judged: Judged, page: string): object {
  const state = knownState(judged);
  if (state === undefined) return {};
  const term = { name: state, description: FRESHNESS_REASONS[judged.reason_code].meaning };
  const inDefinedTermSet = new URL("/docs/freshness#states", page).href;
  return { creativeWorkStatus: { "@type": "DefinedTerm", ...term, inDefinedTermSet } };
}

/** A verdict as sentences, each backed by its evidence. Pure. */
export function freshnessText(report: FreshnessReport): string[] {
  return [
    FRESHNESS_REASONS[report.reason_code].meaning,
    ...windowText(report),
    ...watchedText(report),
    ...sourceText(report),
    ...releaseText(report),
    ...hiddenText(report),
  ];
}

/** The result of a reading. */
export function readingText({ ok, changed, replayed, at }: Reading): string {
  if (!ok) return "could not be read";
  const shown = changed === null ? "first reading" : changed ? "different rows" : "the same rows";
  return replayed === null ? shown : `${shown}; replayed: ${replayed} was released on ${formatDay(at)}`;
}

function windowText(report: FreshnessReport): string[] {
  const { expected_next_earliest: from, expected_next_latest: to, confidence, state } = report;
  if (from === null || to === null) return [];
  const [first, last] = [formatDay(from), formatDay(to)];
  const when = first === last ? `on ${first}` : `between ${first} and ${last}`;
  return [`The update ${state === "stale" ? "was" : "is"} expected ${when}, with ${confidence} confidence.`];
}

/** Before the first release, only the sources to be read are known. */
function watchedText({ reason_code, sources }: FreshnessReport): string[] {
  if (reason_code !== "no_release" || sources.length === 0) return [];
  return [`It is made from ${sources.map(({ name }) => name).join(", ")}.`];
}

function sourceText({ last_observed_at: read, last_changed_at: changed, blocking_source }: FreshnessReport): string[] {
  return [
    ...(read === null ? [] : [`Its sources were last read on ${formatUtc(read)}.`]),
    changed === null ? "No change has been seen yet." : changeText(changed, read),
    ...(blocking_source === null ? [] : [`This is decided by the source “${blocking_source}”.`]),
  ];
}

/** A change earlier than all readings is that of a replayed release. */
const changeText = (changed: string, read: string | null): string =>
  read === null
    ? `Its sources have not been read yet: the last change is that of a replayed release of ${formatDay(changed)}.`
    : `The last change was on ${formatUtc(changed)}.`;

function releaseText({ continuity, data_through, last_good_after_failed_refresh }: FreshnessReport): string[] {
  return [
    ...(data_through === null ? [] : [`The data ends on ${formatDay(data_through)}.`]),
    ...(continuity === "not_assessed" ? [] : [RELEASE_CONTINUITY[continuity]]),
    ...(last_good_after_failed_refresh ? ["The last refresh failed; the current release is still served."] : []),
  ];
}

const hiddenText = ({ unlisted_source_count: count }: FreshnessReport): string[] =>
  count === 0
    ? []
    : [`${count === 1 ? "One source is included" : `${count} sources are included`} that cannot be named here.`];
