import { formatDay, formatUtc } from "@/lib/kernel/format";
import { FRESHNESS_REASONS, RELEASE_CONTINUITY } from "@/lib/schemas/freshness";
import type { FreshnessReport } from "@/lib/schemas/freshness-report";

/** Whether anything is known of the sources of a table: of prepared files nothing is, and nothing is said. */
export const isRead = ({ reason_code }: Pick<FreshnessReport, "reason_code">): boolean =>
  reason_code !== "no_observation" && reason_code !== "no_release";

type Judged = Pick<FreshnessReport, "state" | "reason_code">;

/** The state of what is watched; undefined where nothing is, or nothing can be said: then no document says a word. */
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

/** A verdict in sentences, each of which its evidence shows. Pure. */
export function freshnessWords(report: FreshnessReport): string[] {
  return [
    FRESHNESS_REASONS[report.reason_code].meaning,
    ...windowWords(report),
    ...readingWords(report),
    ...releaseWords(report),
    ...hiddenWords(report),
  ];
}

function windowWords(report: FreshnessReport): string[] {
  const { expected_next_earliest: from, expected_next_latest: to, confidence, state } = report;
  if (from === null || to === null) return [];
  const [first, last] = [formatDay(from), formatDay(to)];
  const when = first === last ? `on ${first}` : `between ${first} and ${last}`;
  return [`The update ${state === "stale" ? "was" : "is"} expected ${when}, with ${confidence} confidence.`];
}

function readingWords({
  last_observed_at: read,
  last_changed_at: changed,
  blocking_source,
}: FreshnessReport): string[] {
  return [
    ...(read === null ? [] : [`Its sources were last asked on ${formatUtc(read)}.`]),
    changed === null ? "No change has been seen yet." : `The last change was seen on ${formatUtc(changed)}.`,
    ...(blocking_source === null ? [] : [`What decides is the source ${blocking_source}.`]),
  ];
}

function releaseWords({ continuity, data_through, last_good_after_failed_refresh }: FreshnessReport): string[] {
  return [
    ...(data_through === null ? [] : [`The data end on ${formatDay(data_through)}.`]),
    ...(continuity === "not_assessed" ? [] : [`Of the current release: ${RELEASE_CONTINUITY[continuity]}`]),
    ...(last_good_after_failed_refresh ? ["The last refresh failed; this is the last good release."] : []),
  ];
}

const hiddenWords = ({ unlisted_source_count: count }: FreshnessReport): string[] =>
  count === 0 ? [] : [`${count === 1 ? "One source counts" : `${count} sources count`} that cannot be named here.`];
