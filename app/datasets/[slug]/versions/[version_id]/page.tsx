import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { type OpenDataset, openDataset, readLineage, readVersion } from "@/app/catalogue";
import { Missing, NOT_FOUND, PRIVATE } from "@/app/missing";
import { datasetPicture } from "@/app/page-picture";
import { readCitation } from "@/app/read-citation";
import { keptValues, type SearchParams } from "@/app/search-params";
import { ColumnDictionary } from "@/components/dataset/column-dictionary";
import { ColumnIndex, columnSpan, SpanLinks } from "@/components/dataset/column-span";
import { DatasetCite } from "@/components/dataset/dataset-cite";
import { DatasetTrail } from "@/components/dataset/dataset-head";
import { DatasetOrigin } from "@/components/dataset/dataset-origin";
import { TableUse } from "@/components/dataset/table-use";
import { VersionHead } from "@/components/dataset/version-head";
import { WithdrawnView } from "@/components/dataset/withdrawn-view";
import { PageSection } from "@/components/ui/page-section";
import { versionUrl } from "@/components/versions/compare-address";
import { UnreadVersion } from "@/components/versions/unread-version";
import { formatDay, formatPlural } from "@/lib/kernel/format";
import { tooLargeText } from "@/lib/limits/download-size";
import { explorerUrl } from "@/lib/view/view-address";

export const dynamic = "force-dynamic";

type Props = { params: Promise<{ slug: string; version_id: string }>; searchParams: SearchParams };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { slug, version_id: name } = await params;
  const [open, found] = await Promise.all([openDataset(slug), readVersion(slug, decodeURIComponent(name))]);
  if (!open || "unknown" in found) return NOT_FOUND;
  const { dataset, owner } = open;
  if ("withdrawn" in found) return { ...NOT_FOUND, title: "Withdrawn version" };
  const { label, published_at: at } = found.version;
  const title = `${dataset.title}: ${found.table.name}, version ${label ?? `of ${formatDay(at)}`}`;
  const description =
    `An immutable version with ${formatPlural(found.version.rows, "row")}: its columns, digest, citation and ` +
    `ways to read it. ${dataset.summary}`;
  if (owner) return { ...PRIVATE, title, description };
  return {
    title,
    description,
    alternates: { canonical: found.url },
    openGraph: {
      type: "website",
      siteName: "Parquetry",
      title,
      description,
      url: found.url,
      images: datasetPicture(dataset),
    },
  };
}

/** One immutable version of a table: its URL never changes, whatever is published later. */
export default async function VersionPage({ params, searchParams }: Props) {
  const { slug, version_id: name } = await params;
  const [open, found, search] = await Promise.all([
    openDataset(slug),
    readVersion(slug, decodeURIComponent(name)),
    keptValues("/datasets/[slug]/versions/[version_id]", searchParams),
  ]);
  if (!open) return <Missing />;
  const { dataset, ctx, owner } = open;
  if ("unknown" in found) return <Missing view={<UnknownVersion open={open} message={found.unknown} />} />;
  if ("withdrawn" in found)
    return <Missing view={<WithdrawnView slug={slug} title={dataset.title} reason={found.withdrawn} />} />;
  const table = dataset.tables.find(({ tableId }) => tableId === found.table.id);
  if (!table) return <Missing />;
  const { version, columns } = found;
  const { version_id } = version;
  if (version_id !== name.toLowerCase()) redirect(versionUrl(slug, version_id));
  const [citation, lineage] = await Promise.all([
    readCitation({ slug, version_id }, ctx),
    readLineage(table.tableId, version_id, ctx),
  ]);
  const span = columnSpan(columns.length, search.from_column);
  return (
    <div className="page py-10">
      <VersionHead found={found} owner={owner} now={ctx.now()} tooLarge={tooLargeText(found.version.bytes)} />
      <PageSection
        id="columns"
        title="Columns"
        aside={`${formatPlural(columns.length, "column")}, profiled over all rows of this version`}
      >
        <ColumnIndex names={columns.map(({ name }) => name)} span={span} />
        <ColumnDictionary
          columns={columns.slice(span.from, span.to)}
          rows={version.rows}
          level="h3"
          label={`Columns of ${table.name}`}
          linkTo={(filters) => explorerUrl(slug, table.slug, { filters, version: version_id })}
        />
        <SpanLinks span={span} search="?" />
      </PageSection>
      <PageSection id="use" title="Read this version">
        <TableUse
          table={table}
          columns={columns}
          owner={owner}
          markdownUrl={dataset.markdown_url}
          versionId={version_id}
          chosen={search.use}
        />
      </PageSection>
      <PageSection id="origin" title="How it was built">
        <DatasetOrigin sources={dataset.sources} built={found} lineage={lineage} />
      </PageSection>
      <PageSection id="cite" title="Cite this version">
        <DatasetCite
          citation={citation}
          fileName={owner ? undefined : `${slug}-${version_id.slice(0, 8)}`}
          chosen={search.cite}
        />
      </PageSection>
    </div>
  );
}

const UnknownVersion = ({ open: { dataset, owner }, message }: { open: OpenDataset; message: string }) => (
  <div className="page py-10">
    <DatasetTrail owner={owner}>
      <Link href={`/datasets/${dataset.slug}`} className="hover:text-accent">
        {dataset.title}
      </Link>
    </DatasetTrail>
    <h1 className="mt-3 mb-6 text-3xl">No such version</h1>
    <UnreadVersion message={message} slug={dataset.slug} current={`/datasets/${dataset.slug}`} />
  </div>
);
