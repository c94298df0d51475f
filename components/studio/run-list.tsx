import Link from "next/link";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";
import type { RunBrief } from "@/lib/schemas/run";
import { RunBadge } from "./run-badge";

/** Runs of a dataset, newest first. */
export const RunList = ({ runs, now }: { runs: readonly RunBrief[]; now: Date }) => (
  <DataTable label="Runs" columns={columnsOf(now)} rows={runs} keyOf={({ run_id }) => run_id} />
);

const columnsOf = (now: Date): readonly DataColumn<RunBrief>[] => [
  {
    id: "run",
    head: "Run",
    isRest: true,
    cell: ({ run_id, dataset, kind, revision, created_at, failure }) => (
      <>
        <Link href={`/studio/${dataset}/runs/${run_id}`} prefetch={false} className="link font-medium">
          <RelativeTime at={created_at} now={now} />
        </Link>
        <span className="block font-normal text-muted text-xs">
          {kind} of revision {revision}
          {failure && `: ${failure.message}`}
        </span>
      </>
    ),
  },
  { id: "state", head: "State", cell: (run) => <RunBadge run={run} /> },
];
