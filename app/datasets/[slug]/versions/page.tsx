import type { Metadata } from "next";
import Link from "next/link";
import { type Compared, openDataset, readComparison, readVersions } from "@/app/catalogue";
import { answerWith, Missing, NOT_FOUND, PRIVATE } from "@/app/missing";
import { namedVersion } from "@/app/named-version";
import { keptValues, type SearchParams } from "@/app/search-params";
import { DatasetTrail } from "@/components/dataset/dataset-head";
import { Notice } from "@/components/ui/notice";
import { CompareForm } from "@/components/versions/compare-form";
import { ComparisonView, DifferenceFiles } from "@/components/versions/comparison-view";
import { VersionHistory } from "@/components/versions/version-history";
import type { Context } from "@/lib/access/context";
import { formatPlural } from "@/lib/kernel/format";
import { tooLargeText } from "@/lib/limits/download-size";
import type { Versions } from "@/lib/schemas/table";

export const dynamic = "force-dynamic";

interface Props {
  params: Promise<{ slug: string }>;
  searchParams: SearchParams;
}

interface Chosen {
  history: Versions;
  from: string;
  to: string;
}

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const open = await openDataset((await params).slug);
  if (!open) return NOT_FOUND;
  const { dataset, owner } = open;
  const { from, to } = await keptValues("/datasets/[slug]/versions", searchParams);
  const title = from && to ? `Two versions of ${dataset.title} compared` : `Versions of ${dataset.title}`;
  if (owner) return { ...PRIVATE, title };
  return {
    title,
    description: `Every immutable version of ${dataset.title}, and how any two of them differ: columns, rows, values.`,
    alternates: {
      canonical: dataset.versions_url,
      types: { "application/atom+xml": `/datasets/${dataset.slug}/versions.atom` },
    },
  };
}

export default async function VersionsPage({ params, searchParams }: Props) {
  const open = await openDataset((await params).slug);
  if (!open) return <Missing near={(await params).slug} />;
  const { dataset, ctx, owner } = open;
  const histories = await Promise.all(dataset.tables.map((table) => readVersions(table.tableId, ctx)));
  const chosen = await chosenIn(histories, await keptValues("/datasets/[slug]/versions", searchParams), ctx);
  const compared =
    chosen && (chosen.from === chosen.to ? SAME_VERSION : await readComparison(chosen.history.table.id, chosen, ctx));
  // otherwise caches would keep it for everyone
  if (compared && "status" in compared && isPassing(compared.status)) await answerWith(compared.status);
  return (
    <div className="page py-10">
      <DatasetTrail owner={owner}>
        <Link href={`/datasets/${dataset.slug}`} className="hover:text-accent">
          {dataset.title}
        </Link>
      </DatasetTrail>
      <h1 className="mt-3 text-3xl">Versions</h1>
      <p className="mt-3 max-w-prose text-muted">
        A version never changes once it is published. To read an older one, send its ID, label or number as{" "}
        <code className="font-mono text-ink">version_id</code> with a query or a download.
        {!owner && (
          <>
            {" "}
            Subscribe to the{" "}
            <a className="link" href={`/datasets/${dataset.slug}/versions.atom`}>
              Atom feed
            </a>{" "}
            to hear about new versions.
          </>
        )}
      </p>
      {chosen && compared && (
        <ComparedVersions slug={dataset.slug} chosen={chosen} compared={compared} now={ctx.now()} />
      )}
      {histories.map((history) => (
        <History
          key={history.table.id}
          slug={dataset.slug}
          history={history}
          now={ctx.now()}
          hasForm={history !== chosen?.history}
        />
      ))}
    </div>
  );
}

const SAME_VERSION = { status: 400, message: "Both versions are the same. Choose two different ones." };

/** Errors that concern only one visitor or are temporary. */
const isPassing = (status: number): boolean => status === 429 || status >= 500;

/** What the URL compares, by id as far as such versions exist; undefined if it names no table of the dataset. */
async function chosenIn(
  histories: readonly Versions[],
  { table, from, to }: { table?: string | undefined; from?: string | undefined; to?: string | undefined },
  ctx: Context,
): Promise<Chosen | undefined> {
  const history =
    histories.find((each) => each.table.slug === table) ?? (histories.length === 1 ? histories[0] : undefined);
  if (!history || !from || !to) return undefined;
  const idOf = async (name: string, pointer: `?${string}`) => {
    const id = await namedVersion(history.table.id, name, pointer, ctx);
    return typeof id === "string" ? id : name;
  };
  return { history, from: await idOf(from, "?from"), to: await idOf(to, "?to") };
}

const sidesOf = ({ history: { versions }, from, to }: Chosen) =>
  versions.filter(({ version_id: id }) => id === from || id === to);

/** Why the differences cannot be downloaded, if they cannot. */
const tooLargeOf = (chosen: Chosen): string | undefined =>
  tooLargeText(Math.max(0, ...sidesOf(chosen).map(({ bytes }) => bytes)));

function ComparedVersions({
  slug,
  chosen,
  compared,
  now,
}: {
  slug: string;
  chosen: Chosen;
  compared: Compared;
  now: Date;
}) {
  return (
    <>
      <div className="mt-8">
        <CompareForm slug={slug} history={chosen.history} chosen={chosen} />
      </div>
      {"comparison" in compared ? (
        <ComparisonView slug={slug} comparison={compared.comparison} now={now} tooLarge={tooLargeOf(chosen)} />
      ) : (
        <div id="comparison" className="mt-6">
          <Notice tone="warning" title="These versions could not be compared">
            <p>{compared.message}</p>
            {compared.status === 504 && sidesOf(chosen).length === 2 && (
              <DifferenceFiles
                slug={slug}
                table={chosen.history.table.slug}
                from={chosen.from}
                to={chosen.to}
                tooLarge={tooLargeOf(chosen)}
              />
            )}
          </Notice>
        </div>
      )}
    </>
  );
}

function History({ slug, history, now, hasForm }: { slug: string; history: Versions; now: Date; hasForm: boolean }) {
  const { table, versions } = history;
  return (
    <section aria-labelledby={`table-${table.slug}`} className="mt-10">
      <h2 id={`table-${table.slug}`} className="text-xl">
        {table.name}
      </h2>
      <p className="mt-1 mb-3 text-muted text-sm">{formatPlural(versions.length, "version")}, newest first</p>
      {hasForm && versions.length > 1 && (
        <div className="mb-4">
          <CompareForm slug={slug} history={history} />
        </div>
      )}
      <VersionHistory slug={slug} history={history} now={now} />
    </section>
  );
}
