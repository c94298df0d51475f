import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { type DataColumn, DataTable } from "@/components/ui/data-table";
import { RelativeTime } from "@/components/ui/relative-time";

interface Entry {
  slug: string;
  title: string;
  visibility: "public" | "private" | "withdrawn";
  tables: number;
  revision: number | null;
  last_run: { run_id: string; state: string; outcome: string | null; at: string; asks: boolean } | null;
}

/** The datasets that a workspace builds, each with what it needs from a person. */
export const StudioList = ({ datasets, now }: { datasets: readonly Entry[]; now: Date }) => (
  <DataTable label="Datasets" columns={columnsOf(now)} rows={datasets} keyOf={({ slug }) => slug} />
);

const columnsOf = (now: Date): readonly DataColumn<Entry>[] => [
  {
    id: "title",
    head: "Dataset",
    isRest: true,
    cell: (entry) => (
      <>
        <Link href={`/studio/${entry.slug}`} prefetch={false} className="link wrap-anywhere font-medium">
          {entry.title}
        </Link>
        <span className="block font-normal text-muted text-xs">
          {entry.visibility}, {entry.tables === 1 ? "1 table" : `${entry.tables} tables`}
        </span>
      </>
    ),
  },
  {
    id: "run",
    head: "Last run",
    isWide: true,
    cell: ({ last_run }) => (last_run ? <RelativeTime at={last_run.at} now={now} /> : "none yet"),
  },
  { id: "needs", head: "Needs", cell: (entry) => <Needs entry={entry} /> },
];

function Needs({ entry: { slug, revision, last_run } }: { entry: Entry }) {
  const page = `/studio/${slug}`;
  if (revision === null) return <NeedLink href={`${page}/recipe`} words="a recipe" />;
  if (!last_run) return <NeedLink href={page} words="a run" />;
  const run = `${page}/runs/${last_run.run_id}`;
  if (last_run.state === "awaiting_approval" || last_run.asks)
    return <NeedLink href={`${run}/approve`} words="an approval" />;
  if (last_run.state === "planned") return <NeedLink href={run} words="a confirmation" />;
  if (last_run.state === "failed") return <NeedLink href={run} words="a look at a failed run" />;
  if (last_run.state.startsWith("queued") || last_run.state.startsWith("running"))
    return <Badge tone="info">Running</Badge>;
  return <span className="text-faint">nothing</span>;
}

const NeedLink = ({ href, words }: { href: string; words: string }) => (
  <Link href={href} prefetch={false} className="link">
    {words}
  </Link>
);
