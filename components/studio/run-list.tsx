import Link from "next/link";
import { OwnList } from "@/components/settings/own-list";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import type { RunBrief } from "@/lib/schemas/run";
import { RUN_WORDS } from "./studio-text";

/** Runs of a dataset, newest first. */
export const RunList = ({ runs, now }: { runs: readonly RunBrief[]; now: Date }) => (
  <OwnList
    label="Runs"
    head="Run"
    rows={runs}
    keyOf={({ run_id }) => run_id}
    name={({ run_id, dataset, created_at }) => (
      <Link href={`/studio/${dataset}/runs/${run_id}`} prefetch={false} className="link">
        <RelativeTime at={created_at} now={now} />
      </Link>
    )}
    note={({ kind, revision, failure }) => `${kind} of revision ${revision}${failure ? `: ${failure.message}` : ""}`}
    facts={[{ head: "State", stays: true, cell: (run) => <RunBadge run={run} /> }]}
    empty="None yet."
  />
);

/** The state of a run; for sealed ones, also whether anything was new. */
export function RunBadge({ run: { state, outcome } }: { run: Pick<RunBrief, "state" | "outcome"> }) {
  const { words, tone } = RUN_WORDS[state];
  const isUnchanged = state === "sealed" && outcome === "unchanged";
  return <Badge tone={isUnchanged ? "neutral" : tone}>{isUnchanged ? "Nothing new" : words}</Badge>;
}
