import type { Metadata } from "next";
import {
  type OpenDataset,
  openDataset,
  readLineage,
  readPreview,
  readReadings,
  readVersion,
  readVersions,
} from "@/app/catalogue";
import { pageContext } from "@/app/context";
import { Missing, NOT_FOUND, PRIVATE } from "@/app/missing";
import { datasetPicture } from "@/app/page-picture";
import { readCitation } from "@/app/read-citation";
import { readRelated } from "@/app/related-datasets";
import { keptValues, type SearchParams } from "@/app/search-params";
import { columnSpan } from "@/components/dataset/column-span";
import { DatasetCard } from "@/components/dataset/dataset-card";
import { DatasetCite } from "@/components/dataset/dataset-cite";
import { DatasetFacts } from "@/components/dataset/dataset-facts";
import { DatasetHead } from "@/components/dataset/dataset-head";
import { DatasetJsonLd } from "@/components/dataset/dataset-json-ld";
import { DatasetOrigin } from "@/components/dataset/dataset-origin";
import { FreshnessLine } from "@/components/dataset/freshness-line";
import { LatestVersions } from "@/components/dataset/latest-versions";
import { TablePicker } from "@/components/dataset/table-picker";
import { TableSection } from "@/components/dataset/table-section";
import { TableUse } from "@/components/dataset/table-use";
import { Markdown } from "@/components/ui/markdown";
import { PageSection } from "@/components/ui/page-section";
import { isRead } from "@/lib/describe/freshness-text";
import { tableRoute } from "@/lib/describe/links";
import { formatPlural } from "@/lib/kernel/format";
import { tooLargeText } from "@/lib/limits/download-size";
import type { Dataset } from "@/lib/schemas/dataset";

export const dynamic = "force-dynamic";

type Props = { params: Promise<{ slug: string }>; searchParams: SearchParams };

const PREVIEW_ROWS = 10;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const open = await openDataset((await params).slug);
  if (!open) return NOT_FOUND;
  const { dataset, owner } = open;
  const { title, summary: description, url } = dataset;
  if (owner) return { ...PRIVATE, title, description };
  return {
    title,
    description,
    alternates: {
      canonical: url,
      types: {
        "application/json": dataset.metadata_url,
        "text/markdown": dataset.markdown_url,
        "application/atom+xml": `${dataset.versions_url}.atom`,
      },
    },
    openGraph: { type: "website", siteName: "Parquetry", title, description, url, images: datasetPicture(dataset) },
  };
}

/**
 * A dataset with one of its tables open: `?table=` selects it, `?use=` and `?cite=` the tabs, `?from_column=` the
 * columns of a wide table.
 */
export default async function DatasetPage({ params, searchParams }: Props) {
  const open = await openDataset((await params).slug);
  if (!open) return <Missing near={(await params).slug} />;
  const { dataset, ctx, owner } = open;
  const search = await keptValues("/datasets/[slug]", searchParams);
  const now = ctx.now();
  const table = dataset.tables.find(({ slug }) => slug === search.table) ?? dataset.tables[0];
  const [related, ...histories] = await Promise.all([
    readRelated(dataset, pageContext()),
    ...dataset.tables.map(({ tableId }) => readVersions(tableId, ctx)),
  ]);
  const versions = histories.reduce((sum, history) => sum + history.versions.length, 0);
  return (
    <div className="page py-10">
      {!owner && <DatasetJsonLd dataset={dataset} />}
      <DatasetHead
        dataset={dataset}
        owner={owner}
        table={table}
        tooLarge={{
          table: tooLargeText(table?.bytes ?? 0),
          archive: tooLargeText(dataset.tables.reduce((sum, { bytes }) => sum + bytes, 0)),
        }}
      />
      <div className="mt-8 grid gap-x-14 gap-y-10 border-line border-t pt-8 lg:grid-cols-[minmax(0,1fr)_16rem]">
        <aside aria-label="Facts" className="lg:order-2">
          <DatasetFacts dataset={dataset} owner={owner} versions={versions} now={now} />
        </aside>
        <section aria-labelledby="about" className="min-w-0 lg:order-1">
          <h2 id="about" className="sr-only">
            About this dataset
          </h2>
          <Markdown text={dataset.description} />
        </section>
      </div>
      {table && <OpenTable open={open} table={table} search={search} now={now} />}
      {related.length > 0 && (
        <PageSection id="related" title="Related datasets">
          <ul className="grid gap-x-10 sm:grid-cols-2 lg:grid-cols-3">
            {related.map((entry) => (
              <li key={entry.slug}>
                <DatasetCard entry={entry} now={now} level="h3" />
              </li>
            ))}
          </ul>
        </PageSection>
      )}
    </div>
  );
}

interface OpenProps {
  open: OpenDataset;
  table: Dataset["tables"][number];
  search: Awaited<ReturnType<typeof keptValues>>;
  now: Date;
}

async function OpenTable({ open: { dataset, ctx, owner }, table, search, now }: OpenProps) {
  const { slug, tables } = dataset;
  const [preview, { versions }, built, citation, lineage, readings] = await Promise.all([
    readPreview(table.tableId, PREVIEW_ROWS, ctx),
    readVersions(table.tableId, ctx),
    readVersion(slug, table.version_id),
    readCitation({ slug }, ctx),
    readLineage(table.tableId, table.version_id, ctx),
    isRead(table.freshness) ? readReadings(table.tableId, ctx) : undefined,
  ]);
  return (
    <>
      {tables.length > 1 && (
        <PageSection id="tables" title={formatPlural(tables.length, "table")}>
          <TablePicker slug={slug} tables={tables} open={table} />
        </PageSection>
      )}
      <TableSection
        dataset={dataset}
        table={table}
        preview={preview}
        span={columnSpan(table.columns.length, search.from_column)}
      />
      <PageSection id="use" title="Use it">
        <TableUse
          key={table.slug}
          table={table}
          columns={table.columns}
          owner={owner}
          markdownUrl={dataset.markdown_url}
          archiveUrl={`${dataset.metadata_url}/archive.zip`}
          chosen={search.use}
        />
      </PageSection>
      {readings && (
        <PageSection id="freshness" title="Freshness">
          <FreshnessLine
            readings={readings}
            releasedAt={versions.map(({ published_at }) => published_at)}
            url={owner ? undefined : tableRoute(ctx.baseUrl, table.tableId, "readings")}
            now={now}
          />
        </PageSection>
      )}
      <PageSection id="versions" title="Versions">
        <LatestVersions slug={slug} versions={versions} hasFeed={!owner} now={now} />
      </PageSection>
      {"columns" in built && (
        <PageSection id="origin" title="How it was built">
          <DatasetOrigin sources={dataset.sources} built={built} lineage={lineage} />
        </PageSection>
      )}
      <PageSection id="cite" title="Cite">
        <DatasetCite citation={citation} fileName={owner ? undefined : slug} chosen={search.cite} />
      </PageSection>
    </>
  );
}
