import type { Metadata } from "next";
import Link from "next/link";
import { AccessWays } from "@/components/dataset/access-ways";
import { topicUrl } from "@/components/dataset/collection-url";
import { DataCurve } from "@/components/dataset/data-curve";
import { DataGlimpse } from "@/components/dataset/data-glimpse";
import { DatasetCard } from "@/components/dataset/dataset-card";
import { FillNotice } from "@/components/directory/fill-notice";
import { SearchForm } from "@/components/site/search-form";
import { formatCount } from "@/lib/kernel/format";
import { type Filling, fillProgress } from "@/lib/operations/fill-progress";
import type { Catalogue } from "@/lib/schemas/dataset";
import type { Facets } from "@/lib/schemas/facets";
import { findDatasets, readFacets } from "./catalogue";
import { pageContext } from "./context";
import { type HomeExample, homeExample } from "./home-example";
import { shownForNow } from "./passing";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { alternates: { canonical: "/" } };

const NEWEST_SHOWN = 6;
const TOPICS_SHOWN = 9;

export default async function HomePage() {
  const ctx = pageContext();
  const [{ datasets: newest, total }, { facets }, example] = await Promise.all([
    findDatasets({ limit: NEWEST_SHOWN }, ctx),
    readFacets({}, ctx),
    homeExample(ctx),
  ]);
  const filling = total === 0 ? await fillProgress() : undefined;
  if (filling || example?.isPassing) await shownForNow();
  return (
    <>
      <Hero topics={facets.topic} example={example} />
      <section aria-labelledby="newest" className="page mt-14">
        <div className="flex items-baseline justify-between gap-4 border-line border-b pb-3">
          <h2 id="newest" className="text-xl">
            Newest datasets
          </h2>
          <Link href="/datasets" className="link whitespace-nowrap text-sm">
            All {formatCount(total)}
          </Link>
        </div>
        {newest.length > 0 ? <Newest entries={newest} now={ctx.now()} /> : <EmptyCatalogue filling={filling} />}
      </section>
      <section aria-labelledby="ways" className="page mt-14">
        <h2 id="ways" className="border-line border-b pb-3 text-xl">
          Three ways to use the data
        </h2>
        <div className="mt-6">
          <AccessWays example={example} base={ctx.baseUrl} />
        </div>
      </section>
    </>
  );
}

function Hero({ topics, example }: { topics: Facets["facets"]["topic"]; example: HomeExample | undefined }) {
  return (
    <div className="border-line border-b bg-surface">
      <div className="page grid gap-x-16 gap-y-10 py-12 sm:py-16 lg:grid-cols-[minmax(0,1fr)_27rem]">
        <div className="min-w-0 self-center">
          <h1 className="max-w-[18ch] text-3xl sm:text-4xl">Open data you can query, cite and keep</h1>
          <p className="mt-4 max-w-[54ch] text-lg text-muted">
            Parquetry publishes open datasets as immutable Parquet versions, so that people, programs and agents can
            search, query and download exactly the same bytes.
          </p>
          <div className="mt-8 max-w-2xl">
            <SearchForm />
          </div>
          {topics.length > 0 && <Topics topics={topics} />}
        </div>
        {example && <Picture example={example} />}
      </div>
    </div>
  );
}

function Topics({ topics }: { topics: Facets["facets"]["topic"] }) {
  return (
    <ul aria-label="Topics" className="mt-4 flex max-w-2xl flex-wrap gap-1.5">
      {topics.slice(0, TOPICS_SHOWN).map((topic) => (
        <li key={topic.value}>
          <Link className="chip gap-1.5 bg-paper" href={topicUrl(topic.value)} prefetch={false}>
            {topic.label} <span className="text-faint tabular-nums">{formatCount(topic.count)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Picture({ example }: { example: HomeExample }) {
  const { title, slug } = example.entry;
  if (!example.curve)
    return <DataGlimpse title={title} slug={slug} rows={example.table.rows} columns={example.columns} />;
  const { measure, points } = example.curve;
  return <DataCurve title={title} slug={slug} measure={measure.name} unit={measure.unit} points={points} />;
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

function EmptyCatalogue({ filling }: { filling: Filling | undefined }) {
  if (filling)
    return (
      <div className="py-8">
        <FillNotice filling={filling} />
      </div>
    );
  return (
    <p className="py-8 text-muted">
      Nothing is published yet. Publish a file with{" "}
      <code className="font-mono text-ink">npm run -s parquetry -- publish</code>; the{" "}
      <a className="link" href="/docs">
        quick start
      </a>{" "}
      shows how.
    </p>
  );
}
