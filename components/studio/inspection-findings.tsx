import { Fact } from "@/components/dataset/version-facts";
import { LiveRefresh } from "@/components/settings/live-refresh";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { Notice } from "@/components/ui/notice";
import { formatBytes, formatCount } from "@/lib/kernel/format";
import type { InspectionFound, InspectionReply } from "@/lib/schemas/inspection";

/** What the inspection of a source proposes for its recipe, each with its reason. */
export function InspectionFindings({ found, now }: { found: InspectionReply; now: Date }) {
  if (found.state === "queued" || found.state === "running")
    return (
      <div className="space-y-2">
        <p className="text-muted">Reading the beginning of the source…</p>
        <LiveRefresh at={now.toISOString().slice(11, 19)} />
      </div>
    );
  if (found.failure)
    return (
      <Notice tone="danger" title="The source could not be read">
        {found.failure.message} {found.failure.fix}
      </Notice>
    );
  const { columns = [] } = found;
  return (
    <div className="space-y-5 text-sm">
      <InspectionSummary found={found} />
      {columns.length > 0 && (
        <DataTable label="Columns found" columns={COLUMNS} rows={columns} keyOf={({ name }) => name} />
      )}
      <p className="text-muted">
        These are proposals, based on {found.rows?.count == null ? "the beginning of the source only" : "all rows"}. The
        recipe below contains them. Correct what is wrong, and enter the licence and publisher.
      </p>
    </div>
  );
}

/** How a source is read, what to review, and its first records. */
export function InspectionSummary({ found }: { found: InspectionReply }) {
  const { warnings = [], raw = [] } = found;
  return (
    <div className="space-y-5 text-sm">
      <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
        <Findings found={found} />
      </dl>
      {warnings.length > 0 && (
        <Notice tone="warning" title="Review this first">
          <ul className="list-disc space-y-1 pl-5">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Notice>
      )}
      <Beginning records={raw} />
    </div>
  );
}

/** The first records with their numbers, to show what headers, footers and marks look like. */
function Beginning({ records }: { records: NonNullable<InspectionFound["raw"]> }) {
  if (records.length === 0) return null;
  return (
    <details>
      <summary className="cursor-pointer">The first records, exactly as in the source</summary>
      <section
        aria-label="First records"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard.
        tabIndex={0}
        className="mt-3 max-h-96 overflow-auto"
      >
        <table className="data-table font-mono text-xs">
          <caption className="sr-only">First records</caption>
          <tbody>
            {records.map(({ n, cells }) => (
              <tr key={n}>
                <th scope="row" className="number text-faint">
                  {n}
                </th>
                {cells.map((cell, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells never move.
                  <td key={at} className="whitespace-pre">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

function Findings({ found: { format, encoding, dialect, rows, transport } }: { found: InspectionReply }) {
  const count = rows?.count ?? rows?.estimate ?? null;
  return (
    <>
      {format && (
        <Fact name="Format">
          {format.value} <span className="block text-muted text-xs">{format.why}</span>
        </Fact>
      )}
      {encoding && (
        <Fact name="Encoding">
          {encoding.value} <span className="block text-muted text-xs">{encoding.why}</span>
          {encoding.others.map(({ value, line }) => (
            <span key={value} className="wrap-anywhere block text-muted text-xs">
              {value} reads {JSON.stringify(line)}
            </span>
          ))}
        </Fact>
      )}
      {dialect && <Fact name="Delimiter">{dialect.delimiter === "\t" ? "tab" : dialect.delimiter}</Fact>}
      {transport && (
        <Fact name="Size">
          {transport.bytes === null ? `more than ${formatBytes(transport.bytes_read)}` : formatBytes(transport.bytes)}
          {count !== null && (
            <span className="block text-muted text-xs">
              {rows?.count === null ? "about " : ""}
              {formatCount(Math.round(count))} rows
            </span>
          )}
        </Fact>
      )}
    </>
  );
}

const EXAMPLES_SHOWN = 3;

const COLUMNS: readonly DataColumn<InspectionFound["columns"][number]>[] = [
  {
    id: "name",
    head: "Column",
    cell: ({ name }) => <code className="wrap-anywhere block min-w-28 font-mono text-[0.8125rem]">{name}</code>,
  },
  { id: "type", head: "Type", cell: ({ type }) => type },
  {
    id: "why",
    head: "Why",
    isRest: true,
    cell: ({ why, examples }) => (
      <>
        {why}
        <span className="wrap-anywhere block text-muted text-xs">{examples.slice(0, EXAMPLES_SHOWN).join(" · ")}</span>
      </>
    ),
  },
];
