import { Database } from "lucide-react";
import Link from "next/link";
import { LinkButton } from "@/components/ui/button";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatDay } from "@/lib/kernel/format";
import type { Connections } from "@/lib/schemas/usage";

type Connection = Connections["datasets"][number];

/** Public datasets that the workspace's keys have read, most recent first. */
export function ConnectedDatasets({ datasets, now }: { datasets: Connections["datasets"]; now: Date }) {
  if (datasets.length === 0)
    return (
      <EmptyState
        icon={Database}
        title="No connected datasets"
        action={<LinkButton href="/datasets">Browse datasets</LinkButton>}
      >
        <p>Choose a dataset and query or download one of its tables with a key.</p>
      </EmptyState>
    );
  const today = now.toISOString().slice(0, 10);
  return (
    <DataTable
      label="Connected datasets"
      columns={columnsOf(now, today)}
      rows={datasets}
      keyOf={({ slug, connected_at: at }) => slug ?? at}
    />
  );
}

const columnsOf = (now: Date, today: string): readonly DataColumn<Connection>[] => [
  { id: "dataset", head: "Dataset", isRest: true, cell: (connection) => <DatasetName connection={connection} /> },
  {
    id: "connected",
    head: "Connected",
    cell: ({ connected_at: at }) => (
      <span className="whitespace-nowrap">
        <RelativeTime at={at} now={now} />
      </span>
    ),
  },
  {
    id: "read",
    head: "Last read",
    cell: ({ last_read: day }) =>
      day === null ? (
        <span className="text-faint">never</span>
      ) : (
        <span className="whitespace-nowrap">{day === today ? "today" : formatDay(day)}</span>
      ),
  },
];

function DatasetName({ connection: { slug, title } }: { connection: Connection }) {
  if (slug === null) return <span className="text-muted">A dataset that is no longer readable</span>;
  return (
    <Link href={`/datasets/${slug}`} prefetch={false} className="link font-medium">
      {title}
    </Link>
  );
}
