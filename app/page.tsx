import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { AccessWays } from "@/components/access-ways";
import { DataGlimpse } from "@/components/data-glimpse";
import { DatasetCard } from "@/components/dataset-card";
import { directoryUrl } from "@/components/directory-url";
import { facetCounts } from "@/components/facet-counts";
import { SearchForm } from "@/components/search-form";
import { anonymousQueryUrl, curlQuery, exampleQuery } from "@/components/snippets";
import { formatCount } from "@/lib/format";
import type { Catalogue } from "@/lib/schemas/dataset";
import { findDatasets, readSchema } from "./catalogue";
import { pageContext } from "./context";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { alternates: { canonical: "/" } };

const NEWEST_SHOWN = 6;
const TOPICS_SHOWN = 10;

export default async function HomePage() {
  const ctx = pageContext();
  const catalogue = await findDatasets({ limit: 100 }, ctx);
  const newest = catalogue.datasets.slice(0, NEWEST_SHOWN);
  return (
    <>
      <Hero catalogue={catalogue} glimpse={await glimpse(catalogue, ctx)} />
      <section aria-labelledby="newest" className="page mt-14">
        <div className="flex items-baseline justify-between gap-4 border-line border-b pb-3">
          <h2 id="newest" className="text-xl">
            Newest datasets
          </h2>
          <Link href="/datasets" className="link whitespace-nowrap text-sm">
            All {formatCount(catalogue.total)}
          </Link>
        </div>
        {newest.length > 0 ? <Newest entries={newest} now={ctx.now()} /> : <EmptyCatalogue />}
      </section>
      <section aria-labelledby="ways" className="page mt-14">
        <h2 id="ways" className="border-line border-b pb-3 text-xl">
          Three ways in
        </h2>
        <div className="mt-6">
          <AccessWays query={await exampleCommand(newest[0], ctx)} base={ctx.baseUrl} />
        </div>
      </section>
    </>
  );
}

function Hero({ catalogue, glimpse }: { catalogue: Catalogue; glimpse: ReactNode }) {
  const tables = catalogue.datasets.flatMap((entry) => entry.tables);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const topics = facetCounts(catalogue.datasets, "topic", {}).slice(0, TOPICS_SHOWN);
  return (
    <div className="border-line border-b bg-surface">
      <div className="page grid gap-x-16 py-12 sm:py-16 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="min-w-0 self-center">
          <h1 className="max-w-[18ch] text-3xl sm:text-4xl">Open data you can query, cite and keep</h1>
          <p className="mt-4 max-w-[54ch] text-lg text-muted">
            Parquetry publishes open datasets as immutable Parquet versions, so that people, programs and agents can search, query and download exactly the same
            bytes.
          </p>
          <div className="mt-8 max-w-2xl">
            <SearchForm />
          </div>
          {topics.length > 0 && (
            <ul aria-label="Topics" className="mt-4 flex max-w-2xl flex-wrap gap-1.5">
              {topics.map((topic) => (
                <li key={topic.value}>
                  <Link className="chip bg-paper" href={directoryUrl({ topic: topic.value })} prefetch={false}>
                    {topic.label}
                  </Link>
                </li>
              ))}
            </ul>
          )}
          {catalogue.next_cursor === null && catalogue.total > 0 && (
            <p className="mt-8 text-muted text-sm tabular-nums">
              {formatCount(catalogue.total)} datasets, {formatCount(tables.length)} tables, {formatCount(rows)} rows
            </p>
          )}
        </div>
        {glimpse}
      </div>
    </div>
  );
}

/** The largest table of the catalogue, drawn. */
async function glimpse(catalogue: Catalogue, ctx: ReturnType<typeof pageContext>): Promise<ReactNode> {
  const tables = catalogue.datasets.flatMap((entry) => entry.tables.map((table) => ({ entry, table })));
  const largest = tables.sort((a, b) => b.table.rows - a.table.rows)[0];
  if (!largest) return null;
  const { columns } = await readSchema(largest.table.tableId, ctx);
  return <DataGlimpse title={largest.entry.title} slug={largest.entry.slug} rows={largest.table.rows} columns={columns} />;
}

function Newest({ entries, now }: { entries: Catalogue["datasets"]; now: Date }) {
  return (
    <ul className="grid gap-x-10 sm:grid-cols-2 lg:grid-cols-3">
      {entries.map((entry) => (
        <li key={entry.slug} className="min-w-0 border-line border-b">
          <DatasetCard entry={entry} now={now} level="h3" />
        </li>
      ))}
    </ul>
  );
}

function EmptyCatalogue() {
  return (
    <p className="py-8 text-muted">
      Nothing is published yet. Publish a file with <code className="font-mono text-ink">npm run -s parquetry -- publish</code>; the{" "}
      <a className="link" href="/docs">
        quick start
      </a>{" "}
      shows how.
    </p>
  );
}

async function exampleCommand(entry: Catalogue["datasets"][number] | undefined, ctx: ReturnType<typeof pageContext>): Promise<string | undefined> {
  const table = entry?.tables[0];
  if (!table) return undefined;
  const schema = await readSchema(table.tableId, ctx);
  return curlQuery(anonymousQueryUrl(table), exampleQuery(schema.columns));
}
