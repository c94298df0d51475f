import Link from "next/link";
import { CheckBadge } from "@/components/ui/check-badge";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { PageSection } from "@/components/ui/page-section";
import { exampleText } from "@/lib/describe/check-text";
import { leftOutCountText } from "@/lib/describe/left-out-text";
import { leftOutText } from "@/lib/describe/step-rows-text";
import { formatCount } from "@/lib/kernel/format";
import type { RunCheck, RunResult } from "@/lib/schemas/run";
import { runTablePage } from "./run-record";

interface Props {
  result: RunResult | undefined;
  /** Whether the run failed, and may not have reached its checks. */
  hasFailed?: boolean;
  /** Whether only a sample has been read so far. */
  isSample: boolean;
  runPage: string;
}

/** What a run found: what its readers left out, how its checks ended, what steps rejected and which changed rows. */
export function RunFindings({ result, hasFailed = false, isSample, runPage }: Props) {
  const { left_out: leftOut = [], checks = [], rejects = [], step_rows: steps = [] } = result ?? {};
  return (
    <>
      {leftOut.length > 0 && (
        <PageSection id="left-out" title="Left out of the sources">
          <DataTable
            label="Left out of the sources"
            columns={LEFT_OUT_COLUMNS}
            rows={leftOut}
            keyOf={({ source, cause }) => `${source} ${cause}`}
          />
          <p className="mt-3 max-w-3xl text-muted text-sm">
            Rows and columns are numbered as in the file.{" "}
            <Link className="link" prefetch={false} href={runTablePage(runPage, "left_out")}>
              Explore up to 1,000 of each kind
            </Link>
          </p>
        </PageSection>
      )}
      <PageSection id="checks" title="Checks">
        <RunChecks checks={checks} hasFailed={hasFailed} />
      </PageSection>
      <PageSection id="rejects" title="Rejects">
        {rejects.length === 0 ? (
          <p className="text-muted">No step rejected a cell.</p>
        ) : (
          <>
            <DataTable
              label="Rejects"
              columns={REJECT_COLUMNS}
              rows={rejects}
              keyOf={({ table, column }) => `${table} ${column}`}
            />
            <p className="mt-3 text-sm">
              <Link className="link" prefetch={false} href={runTablePage(runPage, "rejects")}>
                Explore the rejected cells
              </Link>
            </p>
          </>
        )}
      </PageSection>
      {steps.length > 0 && (
        <PageSection id="steps" title="Rows after each step" aside={isSample ? "In the sample" : undefined}>
          <DataTable
            label="Rows before and after steps"
            columns={STEP_COLUMNS}
            rows={steps}
            keyOf={({ table, step }) => `${table} ${step}`}
          />
          <p className="mt-3 max-w-3xl text-muted text-sm">All other steps leave the number of rows unchanged.</p>
        </PageSection>
      )}
    </>
  );
}

type LeftOut = NonNullable<RunResult["left_out"]>[number];
type StepRow = NonNullable<RunResult["step_rows"]>[number];

const LEFT_OUT_COLUMNS: readonly DataColumn<LeftOut>[] = [
  {
    id: "cause",
    head: "What",
    cell: (each) => (
      <div className="min-w-32 sm:min-w-64">
        <span className={`font-medium ${each.loss ? "text-warning" : ""}`}>{leftOutCountText(each)}</span>{" "}
        <span className="wrap-anywhere block text-muted text-xs">of {each.source}</span>
      </div>
    ),
  },
  {
    id: "examples",
    head: "The first",
    isRest: true,
    cell: ({ examples }) => (
      <ul className="grid gap-1 text-xs">
        {examples.map(({ partition, row, column, value }) => (
          <li key={`${partition} ${row} ${column}`} className="wrap-anywhere">
            <span className="text-muted">
              {partition === null ? "" : `${partition}, `}row {row}
              {column === null ? "" : `, column ${column}`}
            </span>{" "}
            {value.trim() !== "" && <code className="font-mono">{value}</code>}
          </li>
        ))}
      </ul>
    ),
  },
];

/** The checks of a run with their results; failed ones first. */
function RunChecks({ checks, hasFailed }: { checks: readonly RunCheck[]; hasFailed: boolean }) {
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

const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const STEP_COLUMNS: readonly DataColumn<StepRow>[] = [
  {
    id: "step",
    head: "Step",
    isRest: true,
    cell: ({ table, step, kind, ...counts }) => (
      <>
        <span className="font-medium">
          {step + 1}. {kind}
        </span>{" "}
        <span className="wrap-anywhere text-muted text-xs">in {table}</span>
        {leftOutText({ kind, ...counts }) && (
          <span className="block font-normal text-muted text-xs">{capitalised(leftOutText({ kind, ...counts }))}</span>
        )}
      </>
    ),
  },
  { id: "from", head: "Rows before", isNumber: true, cell: ({ from }) => formatCount(from) },
  { id: "to", head: "After", isNumber: true, cell: ({ to }) => formatCount(to) },
];
