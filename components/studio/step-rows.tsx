import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { PageSection } from "@/components/ui/page-section";
import { leftOutText } from "@/lib/describe/step-rows-text";
import { formatCount } from "@/lib/kernel/format";
import type { RunResult } from "@/lib/schemas/run";

type StepRow = NonNullable<RunResult["step_rows"]>[number];

/** The steps that change the number of rows or leave some without a match; nothing if there are none. */
export const StepRows = ({ rows = [], isSample }: { rows: RunResult["step_rows"]; isSample: boolean }) =>
  rows.length > 0 && (
    <PageSection id="steps" title="Rows after each step" aside={isSample ? "In the sample" : undefined}>
      <DataTable label="Rows before and after steps" columns={COLUMNS} rows={rows} keyOf={placeOf} />
      <p className="mt-3 max-w-3xl text-muted text-sm">All other steps leave the number of rows unchanged.</p>
    </PageSection>
  );

const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const placeOf = ({ table, step }: StepRow): string => `${table} ${step}`;

const COLUMNS: readonly DataColumn<StepRow>[] = [
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
