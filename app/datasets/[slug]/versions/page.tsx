import type { Metadata } from "next";
import Link from "next/link";
import { readDataset, readVersions } from "@/app/catalogue";
import { pageContext } from "@/app/context";
import { Missing, NOT_FOUND } from "@/app/missing";
import { VersionList } from "@/components/version-list";
import { formatPlural } from "@/lib/format";

export const dynamic = "force-dynamic";

type Props = { params: Promise<{ slug: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const dataset = await readDataset((await params).slug);
  if (!dataset) return NOT_FOUND;
  return {
    title: `Versions of ${dataset.title}`,
    description: `Every immutable version of ${dataset.title}.`,
    alternates: { canonical: dataset.versions_url, types: { "application/atom+xml": `/datasets/${dataset.slug}/versions.atom` } },
  };
}

export default async function VersionsPage({ params }: Props) {
  const dataset = await readDataset((await params).slug);
  if (!dataset) return <Missing />;
  const ctx = pageContext();
  const histories = await Promise.all(dataset.tables.map((table) => readVersions(table.tableId, ctx)));
  return (
    <div className="page py-10">
      <nav aria-label="Breadcrumb" className="text-muted text-sm">
        <Link href="/datasets" className="hover:text-accent">
          Datasets
        </Link>
        <span aria-hidden="true"> / </span>
        <Link href={`/datasets/${dataset.slug}`} className="hover:text-accent">
          {dataset.title}
        </Link>
      </nav>
      <h1 className="mt-3 text-3xl">Versions</h1>
      <p className="mt-3 max-w-prose text-muted">
        A version never changes once it is published. Read an older one by sending its id as <code className="font-mono text-ink">version_id</code> with a query
        or a download. New ones are told of in the{" "}
        <a className="link" href={`/datasets/${dataset.slug}/versions.atom`}>
          Atom feed
        </a>
        .
      </p>
      {histories.map(({ table, versions }) => (
        <section key={table.id} aria-labelledby={`table-${table.slug}`} className="mt-10">
          <h2 id={`table-${table.slug}`} className="text-xl">
            {table.name}
          </h2>
          <p className="mt-1 mb-3 text-muted text-sm">{formatPlural(versions.length, "version")}, newest first</p>
          <VersionList versions={versions} label={`Versions of ${table.name}`} now={ctx.now()} />
        </section>
      ))}
    </div>
  );
}
