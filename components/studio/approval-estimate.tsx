import { formatBytes, formatPlural, formatSeconds } from "@/lib/kernel/format";
import type { ApprovalView } from "@/lib/operations/approvals/get-approval";

/** What the full run will take, compared with what the workspace has left for today. */
export function ApprovalEstimate({ view: { estimate } }: { view: ApprovalView }) {
  if (!estimate) return <p className="text-muted">No estimate is available.</p>;
  const { bytes, seconds, basis, quota } = estimate;
  const isMeasured = basis !== "limits";
  return (
    <p className="max-w-3xl">
      {isMeasured
        ? `About ${formatBytes(bytes.max)} and ${formatSeconds(seconds.max)}, as measured by the last read.`
        : `Not measured before: at most ${formatBytes(bytes.max)}, the limit for a source.`}{" "}
      <span className="text-muted">
        The workspace has {formatPlural(quota.runs_left_today, "run")} and {formatBytes(quota.bytes_left_today)} left
        today.
      </span>
    </p>
  );
}
