import { CheckBadge } from "@/components/ui/check-badge";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { exampleText } from "@/lib/describe/check-text";
import { formatCount } from "@/lib/kernel/format";
import type { RunCheck, RunResult } from "@/lib/schemas/run";

/** The checks of a run with their results; failed ones first. `hasFailed`: the run, which may not have reached them. */
export function RunChecks({ checks, hasFailed = false }: { checks: readonly RunCheck[]; hasFailed?: boolean }) {
  if (checks.length === 0)
    return <p className="text-muted">{hasFailed ? "The run failed before any check." : "The recipe has no checks."}</p>;
  const rows = [...checks].sort((a, b) => Number(b.outcome === "failed") - Number(a.outcome === "failed"));
  const keyOf = (check: RunCheck) => `${check.table} ${check.check} ${check.message} ${checks.indexOf(check)}`;
  return <DataTable label="Checks" columns={CHECK_COLUMNS} rows={rows} keyOf={keyOf} />;
}

const CHECK_COLUMNS: readonly DataColumn<RunCheck>[] = [
  {
    id: "check",
    head: "Check",
    isRest: true,
    cell: ({ check, title, table, message, examples }) => (
      <>
        <span className="font-medium">{title ?? check.replaceAll("_", " ")}</span>{" "}
        <span className="text-muted text-xs">on {table}</span>
        <span className="wrap-anywhere block font-normal text-muted text-xs">{message}</span>
        {examples && <FailedRows examples={examples} />}
      </>
    ),
  },
  {
    id: "examined",
    head: "Rows",
    isWide: true,
    isNumber: true,
    cell: ({ examined }) => formatCount(examined),
  },
  { id: "outcome", head: "Result", cell: (check) => <CheckBadge {...check} /> },
];

/** The first failures: what identifies the row, then what the check looked at. */
function FailedRows({ examples }: { examples: NonNullable<RunCheck["examples"]> }) {
  const different = new Map(examples.map((cells) => [exampleText(cells), cells]));
  return (
    <ul className="mt-1.5 grid gap-1 border-line border-l-2 pl-2.5 font-normal text-xs" aria-label="Values that failed">
      {[...different].map(([words, cells]) => (
        <li key={words} className="wrap-anywhere flex flex-wrap gap-x-3">
          {Object.entries(cells).map(([name, value]) => (
            <span key={name}>
              <span className="text-muted">{name}</span>{" "}
              {value === null ? <i className="text-faint">null</i> : <code className="font-mono">{value || '""'}</code>}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

type Reject = RunResult["rejects"][number];

/** Rejected cells and rows, with examples as they are in the source. */
export function RunRejects({ rejects }: { rejects: readonly Reject[] }) {
  if (rejects.length === 0) return <p className="text-muted">No step rejected a cell.</p>;
  const keyOf = ({ table, column }: Reject) => `${table} ${column}`;
  return <DataTable label="Rejects" columns={REJECT_COLUMNS} rows={rejects} keyOf={keyOf} />;
}

const REJECT_COLUMNS: readonly DataColumn<Reject>[] = [
  {
    id: "column",
    head: "Column",
    cell: ({ table, column }) => (
      <>
        <code className="wrap-anywhere font-mono text-[0.8125rem]">{column}</code>{" "}
        <span className="wrap-anywhere block text-muted text-xs sm:whitespace-nowrap">of {table}</span>
      </>
    ),
  },
  { id: "cells", head: "Cells", isNumber: true, cell: ({ cells }) => formatCount(cells) },
  {
    id: "examples",
    head: "Examples",
    isRest: true,
    cell: ({ examples }) => (
      <span className="wrap-anywhere">{examples.map((text) => JSON.stringify(text)).join(", ")}</span>
    ),
  },
];
