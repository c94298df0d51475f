import type { CheckedRelease } from "@/lib/store/releases/diagnosis";
import type { Finding } from "./diagnosis-findings";

/** With fewer releases, no trend is reported. */
const RELEASES_MIN = 4;
/** A share is worse if it is this many times the usual share. */
const TIMES_WORSE = 2;

/** The share of examined rows that failed a check, release by release. */
export interface CheckTrend {
  check: string;
  title: string | null;
  severity: "error" | "warn";
  releases: { version_id: string; sealed_at: string; failures: number; examined: number }[];
}

/** By check, over releases from the oldest to the newest; only checks that the newest release has. Pure. */
export function checkTrends(releases: readonly CheckedRelease[]): CheckTrend[] {
  const newest = releases.at(-1);
  return (newest?.checks ?? []).map(({ check, title, severity, message: _, ...own }) => ({
    ...{ check, title, severity },
    releases: releases.flatMap(({ versionId, sealedAt, checks }) => {
      const same = checks.find((other) => other.check === check && other.title === title && other.table === own.table);
      if (!same || same.outcome === "not_applicable") return [];
      const { failures, examined } = same;
      return [{ version_id: versionId, sealed_at: sealedAt.toISOString(), failures, examined }];
    }),
  }));
}

/** Checks that a growing share of rows fails, long before they end a run. */
export function worseningChecks(trends: readonly CheckTrend[]): Finding[] {
  return trends.flatMap(({ check, title, releases }) => {
    const shares = releases.map(({ failures, examined }) => (examined === 0 ? 0 : failures / examined));
    const [last, usual] = [shares.at(-1) ?? 0, median(shares.slice(0, -1))];
    if (releases.length < RELEASES_MIN || last === 0 || last < TIMES_WORSE * usual) return [];
    return [
      {
        severity: "notice",
        code: "check_worsens",
        message: `${title ?? check} fails for ${percent(last)} of the newest release, usually for ${percent(usual)}.`,
        evidence: { check, releases: releases.slice(-RELEASES_MIN) },
        fix: "Compare the releases, and look at the rows that fail.",
      },
    ];
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = sorted.length % 2 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1);
  return (low + high) / 2;
}

/** `0.4 %`; less than a tenth is not rounded to zero. */
function percent(share: number): string {
  const tenths = Math.round(share * 1000) / 10;
  return share > 0 && tenths === 0 ? "less than 0.1 %" : `${tenths} %`;
}

/** Failures that mean that a source's columns differ from those approved. */
const OF_COLUMNS: ReadonlySet<string> = new Set(["schema_violation", "header_mismatch"]);

interface Drift {
  releases: readonly CheckedRelease[];
  failures: readonly { runId: string; at: Date; code: string; message: string }[];
  since: Date;
  dataset: string;
}

/** Columns that changed: in runs that failed because of it, and in releases that were made nevertheless. */
export function schemaDrift({ releases, failures, since, dataset }: Drift): Finding[] {
  const failed = failures.filter(({ code }) => OF_COLUMNS.has(code));
  const changed = releases.filter(
    ({ change, sealedAt }) => sealedAt >= since && (change === "columns_added" || change === "breaking"),
  );
  const found: Finding[] = [];
  if (failed[0])
    found.push({
      severity: "problem",
      code: "schema_drift",
      message: `The source's columns differ from those approved: ${failed[0].message}`,
      evidence: { runs: failed.map(({ runId, at }) => ({ run_id: runId, at: at.toISOString() })) },
      fix: "Inspect the source, and propose a revision that fits its columns.",
      call: { tool: "get_my_dataset", args: { dataset, recipe: true } },
    });
  if (changed.length > 0)
    found.push({
      severity: "notice",
      code: "columns_changed",
      message:
        `${changed.length === 1 ? "A release" : `${changed.length} releases`} had different columns from the ` +
        "previous one.",
      evidence: {
        releases: changed.map(({ versionId, sealedAt, change }) => ({
          ...{ version_id: versionId, sealed_at: sealedAt.toISOString(), change },
        })),
      },
      fix: "Tell the table's readers, or freeze its contract.",
    });
  return found;
}
