import type { Metadata } from "next";
import Link from "next/link";
import { readRow, readVersion } from "@/app/catalogue";
import { type FoundTable, findTable } from "@/app/datasets/[slug]/[table]/find-table";
import { answerWith, Missing, NOT_FOUND } from "@/app/missing";
import { type SearchParams, singleValues } from "@/app/search-params";
import { DatasetTrail } from "@/components/dataset/dataset-head";
import { RowCells } from "@/components/dataset/row-cells";
import { RowSteps } from "@/components/dataset/row-steps";
import { CitedText } from "@/components/ui/cited-text";
import { Notice } from "@/components/ui/notice";
import { PageSection } from "@/components/ui/page-section";
import { versionUrl } from "@/components/versions/compare-address";
import { tableRow } from "@/lib/describe/links";
import { formatCount, formatDay } from "@/lib/kernel/format";
import type { TableRow } from "@/lib/schemas/table";
import { explorerUrl } from "@/lib/view/view-address";

export const dynamic = "force-dynamic";

type Props = { params: Promise<{ slug: string; table: string; position: string }>; searchParams: SearchParams };

async function readPage({ params, searchParams }: Props) {
  const named = await params;
  const found = await findTable(named);
  const { version } = await singleValues(searchParams);
  return (
    found && { found, read: await readRow(found.table.tableId, decodeURIComponent(named.position), version, found.ctx) }
  );
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const page = await readPage(props);
  if (!page || "status" in page.read) return NOT_FOUND;
  const { dataset, table } = page.found;
  return {
    title: `Row ${formatCount(page.read.position)} of ${table.name}, ${dataset.title}`,
    description: `One row of ${table.name} with every column, and how to cite it.`,
    alternates: { canonical: page.read.url },
    robots: { index: false }, // there are too many row pages to index
  };
}

/** One row of an immutable version with every column: its URL never changes, whatever is published later. */
export default async function RowPage(props: Props) {
  const page = await readPage(props);
  if (!page) return <Missing near={(await props.params).slug} />;
  const { found, read } = page;
  if (!("status" in read)) return <RowView found={found} read={read} />;
  await answerWith(read.status);
  return (
    <div className="page py-10">
      <RowTrail found={found} />
      <h1 className="mt-3 mb-6 text-3xl">No such row</h1>
      <Notice tone="warning" title="This row could not be read">
        <p>{read.message}</p>
      </Notice>
    </div>
  );
}

function RowTrail({ found: { dataset, table, owner } }: { found: FoundTable }) {
  return (
    <DatasetTrail owner={owner}>
      <Link href={`/datasets/${dataset.slug}`} className="hover:text-accent">
        {dataset.title}
      </Link>
      <span aria-hidden="true"> / </span>
      <Link href={explorerUrl(dataset.slug, table.slug)} prefetch={false} className="hover:text-accent">
        {table.name}
      </Link>
    </DatasetTrail>
  );
}

async function RowView({ found, read }: { found: FoundTable; read: TableRow }) {
  const { dataset, table, owner } = found;
  const { version_id: versionId, published_at: publishedAt, rows } = read.table;
  const isCurrent = versionId === table.version_id;
  const version = isCurrent ? undefined : await readVersion(dataset.slug, versionId);
  const columns = version && "columns" in version ? version.columns : table.columns;
  return (
    <div className="page py-10">
      <RowTrail found={found} />
      <h1 className="mt-3 text-3xl tabular-nums">
        Row {formatCount(read.position)} <span className="text-muted">of {formatCount(rows)}</span>
      </h1>
      <p className="mt-3 text-muted text-sm">
        {table.name}, in the stored order of the{" "}
        <Link className="link" href={versionUrl(dataset.slug, versionId)} prefetch={false}>
          {isCurrent ? "current version" : "older version"}
        </Link>{" "}
        of {formatDay(publishedAt)}. This page keeps its content whatever is published later.
      </p>
      <RowSteps slug={dataset.slug} table={table.slug} position={read.position} rows={rows} versionId={versionId} />
      <RowCells read={read} columns={columns} />
      <PageSection id="cite" title="Cite this row">
        <CitedText text={read.citation} />
        {!owner && (
          <p className="mt-3 text-sm">
            <a className="link" href={tableRow("", table.tableId, read.position, versionId)}>
              This row as JSON
            </a>
          </p>
        )}
      </PageSection>
    </div>
  );
}
