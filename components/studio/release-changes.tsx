import type { ApprovalView } from "@/lib/operations/approvals/get-approval";

/** How the run's result differs from the current releases, one sentence per table. */
export function ReleaseChanges({ view: { release_differences: tables, run } }: { view: ReleaseView }) {
  if (tables.length === 0)
    return (
      <p className="text-muted">
        {run.current
          ? "The run’s result is already current."
          : "Nothing is current yet, so there is nothing to compare."}
      </p>
    );
  return (
    <ul className="rows">
      {tables.map(({ table, words }) => (
        <li key={table} className="grid gap-x-6 sm:grid-cols-[11rem_minmax(0,1fr)]">
          <code className="wrap-anywhere font-mono text-[0.8125rem]">{table}</code>
          <span className="wrap-anywhere">
            {sentenceOf(table, words)}
            {run.state === "awaiting_approval" && (
              <span className="block text-muted text-xs">according to the sample</span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Without the table's name, which is shown next to it. */
function sentenceOf(table: string, words: string): string {
  const own = words.startsWith(`${table}: `) ? words.slice(table.length + 2) : words;
  return own.charAt(0).toUpperCase() + own.slice(1);
}

type ReleaseView = Pick<ApprovalView, "release_differences" | "run">;
