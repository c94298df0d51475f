import type { Metadata } from "next";
import Link from "next/link";
import { Missing } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { datasetContext } from "@/app/studio/studio-context";
import { RunList } from "@/components/studio/run-list";
import { StudioPage } from "@/components/studio/studio-head";
import { execute } from "@/lib/operations/execute";
import { listRuns } from "@/lib/operations/runs/list-runs";

export const metadata: Metadata = { title: "Runs" };

interface Props {
  params: Promise<{ dataset: string }>;
  searchParams: SearchParams;
}

const LISTED = 50;

/** Every run of a dataset, those that found nothing new included, newest first. */
export default async function RunsPage({ params, searchParams }: Props) {
  const { dataset } = await params;
  const { cursor } = await singleValues(searchParams);
  const studio = await datasetContext(dataset, `/studio/${dataset}/runs`);
  if (!studio) return <Missing />;
  const { ctx, workspace, found } = studio;
  const { slug, title } = found.dataset;
  const query = { dataset: slug, unchanged: true, limit: LISTED, ...(cursor !== undefined && { cursor }) };
  const { runs, next_cursor: next } = await execute(listRuns, { path: { workspace_id: workspace.id }, query }, ctx);
  return (
    <StudioPage
      title="Runs"
      trail={[
        { href: "/studio", label: "Studio" },
        { href: `/studio/${slug}`, label: title },
      ]}
      intro={<p>Every run of {title}, newest first.</p>}
    >
      <div className="mt-8">
        <RunList runs={runs} now={ctx.now()} />
      </div>
      <p className="mt-4 flex gap-x-6">
        {cursor !== undefined && (
          <Link href={`/studio/${slug}/runs`} prefetch={false} className="link">
            Newest
          </Link>
        )}
        {next !== null && (
          <Link href={`/studio/${slug}/runs?cursor=${encodeURIComponent(next)}`} prefetch={false} className="link">
            Older
          </Link>
        )}
      </p>
    </StudioPage>
  );
}
