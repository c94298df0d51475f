import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { PageSection } from "@/components/ui/page-section";
import { leftOutCountText } from "@/lib/describe/left-out-text";
import type { RunResult } from "@/lib/schemas/run";

type LeftOut = NonNullable<RunResult["left_out"]>[number];

/** What the readers left out of the sources, with the first rows or cells of each cause; nothing if all was read. */
export const LeftOutOfSources = ({ rows = [] }: { rows: RunResult["left_out"] }) =>
  rows.length > 0 && (
    <PageSection id="left-out" title="Left out of the sources">
      <DataTable label="Left out of the sources" columns={COLUMNS} rows={rows} keyOf={keyOf} />
      <p className="mt-3 max-w-3xl text-muted text-sm">
        Rows and columns are numbered as in the file. The artifact left_out lists up to 1,000 of each kind.
      </p>
    </PageSection>
  );

const keyOf = ({ source, cause }: LeftOut): string => `${source} ${cause}`;

const COLUMNS: readonly DataColumn<LeftOut>[] = [
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
