import { Hammer } from "lucide-react";
import Link from "next/link";
import { OwnList } from "@/components/settings/own-list";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatPlural } from "@/lib/kernel/format";

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
  <OwnList
    label="Datasets"
    head="Dataset"
    rows={datasets}
    keyOf={({ slug }) => slug}
    name={({ slug, title }) => (
      <Link href={`/studio/${slug}`} prefetch={false} className="link">
        {title}
      </Link>
    )}
    note={({ visibility, tables }) => `${visibility}, ${formatPlural(tables, "table")}`}
    facts={[
      {
        head: "Last run",
        cell: ({ last_run }, small) =>
          last_run ? (
            <>
              {small && "last run "}
              <RelativeTime at={last_run.at} now={now} />
            </>
          ) : small ? (
            "no run yet"
          ) : (
            "none yet"
          ),
      },
      { head: "Needs", stays: true, cell: (entry) => <Needs entry={entry} /> },
    ]}
    empty={
      <EmptyState icon={Hammer} title="No datasets yet">
        <p>
          A dataset is built from a recipe: which sources are read, the steps that turn them into tables, and the checks
          that must pass. Write one here, or connect an agent to do it.
        </p>
      </EmptyState>
    }
  />
);

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
