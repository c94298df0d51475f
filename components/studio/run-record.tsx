import { CopiedId } from "@/components/ui/copied-id";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { formatBytes, formatUtc } from "@/lib/kernel/format";
import type { RunEventEntry } from "@/lib/schemas/run";

const LOOK: Readonly<Partial<Record<RunEventEntry["kind"], string>>> = {
  failed: "text-danger",
  warning: "text-warning",
  rejects: "text-warning",
};

/** The page on which the rows of a run's table are explored. */
export const runTablePage = (runPage: string, table: string): string =>
  `${runPage}/tables/${encodeURIComponent(table)}`;

/** What happened in a run, oldest first, as recorded. */
export function RunEvents({ events }: { events: readonly RunEventEntry[] }) {
  return (
    <ol className="rows border-line border-t">
      {events.map(({ seq, at, kind, message }) => (
        <li
          key={seq}
          className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-4 sm:grid-cols-[4.5rem_9rem_minmax(0,1fr)]"
        >
          <time dateTime={at} title={formatUtc(at)} className="text-faint tabular-nums">
            {at.slice(11, 19)}
          </time>
          <span className={`font-medium ${LOOK[kind] ?? ""}`}>{kind.replaceAll("_", " ")}</span>
          <span className="wrap-anywhere col-start-2 text-muted sm:col-start-3">{message}</span>
        </li>
      ))}
    </ol>
  );
}

/** Where the columns of a run's tables come from, as recorded by the run. */
export type Lineage = readonly {
  table: string;
  columns: Readonly<Record<string, { from: readonly { source: string; column: string }[]; kind: string }>>;
}[];

export function LineageList({ lineage }: { lineage: Lineage }) {
  return lineage.map(({ table, columns }) => (
    <details key={table} className="mb-3">
      <summary className="cursor-pointer font-medium">{table}</summary>
      <ul className="rows mt-2">
        {Object.entries(columns).map(([name, { from, kind }]) => (
          <li key={name} className="grid gap-x-6 sm:grid-cols-2">
            <code className="wrap-anywhere font-mono text-[0.8125rem]">{name}</code>
            <span className="wrap-anywhere text-muted">
              {kind} {from.length > 0 && "from "}
              {from.map(({ source, column }) => `${source}: ${column}`).join(", ")}
            </span>
          </li>
        ))}
      </ul>
    </details>
  ));
}

interface Artifact {
  artifact_id: string;
  name: string;
  bytes: number;
  sha256: string;
  expires_at: string;
}

/** A run's artifacts, with their digests and how long they are kept. */
export const ArtifactList = ({ artifacts }: { artifacts: readonly Artifact[] }) => (
  <DataTable label="Artifacts" columns={COLUMNS} rows={artifacts} keyOf={({ artifact_id }) => artifact_id} />
);

const COLUMNS: readonly DataColumn<Artifact>[] = [
  { id: "name", head: "File", isRest: true, cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
  { id: "bytes", head: "Size", isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
  {
    id: "digest",
    head: "SHA-256",
    isWide: true,
    cell: ({ sha256, name }) => (
      <CopiedId text={sha256} shown={`${sha256.slice(0, 12)}…`} label={`digest of ${name}`} />
    ),
  },
  { id: "until", head: "Kept until", isWide: true, cell: ({ expires_at }) => formatUtc(expires_at) },
];
