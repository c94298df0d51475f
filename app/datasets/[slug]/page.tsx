import type { Metadata } from "next";
import { readDataset, readPreview, readVersions } from "@/app/catalogue";
import { pageContext } from "@/app/context";
import { Missing, NOT_FOUND } from "@/app/missing";
import { datasetPicture } from "@/app/page-picture";
import { DatasetCite } from "@/components/dataset-cite";
import { DatasetFacts } from "@/components/dataset-facts";
import { DatasetHead } from "@/components/dataset-head";
import { DatasetJsonLd } from "@/components/dataset-json-ld";
import { Markdown } from "@/components/markdown";
import { TableSection } from "@/components/table-section";
import { formatCount } from "@/lib/format";
import type { Dataset } from "@/lib/schemas/dataset";

export const dynamic = "force-dynamic";

type Props = { params: Promise<{ slug: string }> };

const PREVIEW_ROWS = 20;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const dataset = await readDataset((await params).slug);
  if (!dataset) return NOT_FOUND;
  return {
    title: dataset.title,
    description: dataset.summary,
    alternates: { canonical: dataset.url, types: { "application/json": dataset.metadata_url, "text/markdown": dataset.markdown_url } },
    openGraph: {
      type: "website",
      siteName: "Parquetry",
      title: dataset.title,
      description: dataset.summary,
      url: dataset.url,
      images: datasetPicture(dataset),
    },
  };
}

export default async function DatasetPage({ params }: Props) {
  const dataset = await readDataset((await params).slug);
  if (!dataset) return <Missing />;
  const ctx = pageContext();
  const parts = await Promise.all(dataset.tables.map((table) => readTable(table, ctx)));
  return (
    <div className="page py-10">
      <DatasetJsonLd dataset={dataset} />
      <DatasetHead dataset={dataset} />
      <PageLinks tables={dataset.tables} />
      <div className="mt-6 grid gap-x-14 gap-y-10 border-line border-t pt-8 lg:grid-cols-[minmax(0,1fr)_16rem]">
        <aside aria-label="Facts" className="lg:order-2">
          <DatasetFacts dataset={dataset} now={ctx.now()} />
        </aside>
        <section aria-labelledby="about" className="min-w-0 lg:order-1">
          <h2 id="about" className="sr-only">
            About this dataset
          </h2>
          <Markdown text={dataset.description} />
        </section>
      </div>
      {parts.map((part) => (
        <TableSection key={part.table.tableId} dataset={dataset.slug} {...part} now={ctx.now()} />
      ))}
      <section aria-labelledby="cite" className="mt-16 border-ink border-t-2 pt-5">
        <h2 id="cite" className="mb-3 text-2xl">
          Cite
        </h2>
        <DatasetCite citation={dataset.citation} />
      </section>
    </div>
  );
}

async function readTable(table: Dataset["tables"][number], ctx: ReturnType<typeof pageContext>) {
  const [preview, versions] = await Promise.all([readPreview(table.tableId, PREVIEW_ROWS, ctx), readVersions(table.tableId, ctx)]);
  return { table, preview, versions: versions.versions };
}

const PARTS = [
  { suffix: "rows", name: "Preview" },
  { suffix: "columns", name: "Columns" },
  { suffix: "use", name: "Query and download" },
  { suffix: "versions", name: "Versions" },
] as const;

/** The tables, or the parts of the only one. */
function PageLinks({ tables }: { tables: Dataset["tables"] }) {
  const [only] = tables;
  const links =
    tables.length === 1 && only
      ? PARTS.map((part) => ({ href: `#table-${only.slug}-${part.suffix}`, name: part.name, note: "" }))
      : tables.map((table) => ({ href: `#table-${table.slug}`, name: table.name, note: `${formatCount(table.rows)} rows` }));
  return (
    <nav aria-label="On this page" className="mt-7">
      <ul className="flex flex-wrap gap-2">
        {links.map((link) => (
          <li key={link.href}>
            <a className="button tabular-nums" href={link.href}>
              {link.name} {link.note && <span className="font-normal text-muted text-xs">{link.note}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
