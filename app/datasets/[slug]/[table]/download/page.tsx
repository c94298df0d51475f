import { Download } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { visitorContext } from "@/app/context";
import { type FoundTable, findTable } from "@/app/datasets/[slug]/[table]/find-table";
import { answerWith, Missing, NOT_FOUND } from "@/app/missing";
import type { RefusedVersion } from "@/app/named-version";
import { type SearchParams, singleValues } from "@/app/search-params";
import { DatasetTrail } from "@/components/dataset/dataset-head";
import { LicenseName } from "@/components/dataset/license-name";
import { Fact, Identity } from "@/components/dataset/version-facts";
import { Notice } from "@/components/ui/notice";
import { compareUrl } from "@/components/versions/compare-address";
import { UnreadVersion } from "@/components/versions/unread-version";
import { browserArchive, browserTable } from "@/lib/describe/links";
import { env } from "@/lib/kernel/env";
import { formatBytes, formatCount, formatDay, formatPlural } from "@/lib/kernel/format";
import { tooLargeText } from "@/lib/limits/download-size";
import { getAccount } from "@/lib/operations/account/own-account";
import { execute } from "@/lib/operations/execute";
import type { Dataset } from "@/lib/schemas/dataset";
import { downloadUrl } from "@/lib/view/view-address";
import { readChosen, type Side } from "./read-chosen";

export const dynamic = "force-dynamic";

type Props = { params: Promise<{ slug: string; table: string }>; searchParams: SearchParams };

const FORMATS = [
  { id: "csv", label: "CSV", route: "current.csv", note: "For spreadsheets and statistics software." },
  { id: "parquet", label: "Parquet", route: "current", note: "With column types; for Python, R, DuckDB and Polars." },
] as const;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = await findTable(await params);
  return found ? { title: `Download ${found.table.name}`, robots: { index: false } } : NOT_FOUND;
}

/**
 * The whole table as a file, or the differences between two versions. With a format in the URL, the download starts
 * automatically. Visitors sign up first and return.
 */
export default async function DownloadPage({ params, searchParams }: Props) {
  const found = await findTable(await params);
  if (!found) return <Missing near={(await params).slug} />;
  const { dataset, table, owner } = found;
  const { format, version: older, from, to } = await singleValues(searchParams);
  const choice = { format, version: older, from, to };
  const chosen = FORMATS.find(({ id }) => id === format);
  const read = await readChosen(found, choice);
  if ("status" in read) return <RefusedDownload found={found} refused={read} />;
  const { version, sides } = read;
  const ctx = await visitorContext();
  if (!ctx) redirect(`/sign-up?${new URLSearchParams({ callbackUrl: downloadUrl(dataset.slug, table.slug, choice) })}`);
  const own = owner ?? (await execute(getAccount, {}, ctx)).workspaces[0];
  if (!own) return <Missing />;
  const tooLarge = tooLargeText(Math.max(...(sides ? [sides.from, sides.to] : [version]).map(({ bytes }) => bytes)));
  const fileAt = ({ id, route }: Format) =>
    sides
      ? `${browserTable("", own.id, table.tableId, `versions/difference.${id}`)}?${sidesQuery(sides)}`
      : `${browserTable("", own.id, table.tableId, route)}?version_id=${version.id}`;
  return (
    <div className="page py-10">
      <Trail found={found} />
      <h1 className="mt-3 text-3xl">Download {sides ? `differences in ${table.name}` : table.name}</h1>
      {tooLarge === undefined ? (
        <Files
          chosen={chosen}
          words={sides ? DIFFERENCE_WORDS : `All ${formatCount(version.rows)} rows of ${version.words}, as one file.`}
          parquetBytes={sides ? undefined : version.bytes}
          fileAt={fileAt}
        />
      ) : (
        <div className="mt-6 max-w-2xl">
          <Notice tone="warning" title="Too large to download">
            {tooLarge}
          </Notice>
        </div>
      )}
      {!sides && older === undefined && <Archives dataset={dataset} workspaceId={own.id} />}
      {sides ? (
        <DifferenceFacts dataset={dataset} table={table} sides={sides} />
      ) : (
        <FileFacts dataset={dataset} table={table} version={version} />
      )}
    </div>
  );
}

const DIFFERENCE_WORDS = "Every row that differs between two versions, as one file.";

type Format = (typeof FORMATS)[number];

interface FilesProps {
  /** The format that is downloaded without a click. */
  chosen: Format | undefined;
  words: string;
  /** The size of the Parquet file, if it is known. */
  parquetBytes: number | undefined;
  fileAt: (format: Format) => string;
}

function Files({ chosen, words, parquetBytes, fileAt }: FilesProps) {
  return (
    <>
      {chosen && <meta httpEquiv="refresh" content={`0;url=${fileAt(chosen)}`} />}
      <p className="mt-4 max-w-[60ch] text-muted">
        {chosen ? `Your ${chosen.label} download starts automatically. If it doesn’t, use the button below.` : words}
      </p>
      <ul className="mt-6 grid max-w-2xl gap-4 sm:grid-cols-2">
        {FORMATS.map((each) => (
          <li key={each.id} className="flex flex-col gap-3 rounded-lg border border-line p-4">
            <p className="text-muted text-sm">{each.note}</p>
            <a
              href={fileAt(each)}
              className={`button mt-auto self-start ${each === (chosen ?? FORMATS[0]) ? "button-primary" : ""}`}
              download
            >
              <Download size={16} aria-hidden="true" />
              {each.label}
              {each.id === "parquet" && parquetBytes !== undefined && `, ${formatBytes(parquetBytes)}`}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** All current tables of the dataset in one file. */
function Archives({ dataset: { slug, tables }, workspaceId }: { dataset: Dataset; workspaceId: string }) {
  const url = browserArchive("", workspaceId, slug);
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  const tooLarge = tooLargeText(bytes);
  return (
    <section id="zip" aria-labelledby="zip-title" className="mt-8 max-w-2xl border-line border-t pt-6">
      <h2 id="zip-title" className="text-lg">
        The whole dataset as a .zip
      </h2>
      <p className="mt-2 text-muted text-sm">
        {tables.length === 1 ? "Its table" : `All ${formatPlural(tables.length, "table")}`} with the schema, licence
        text, citation and SHA-256 checksums.
        {tables.length > 1 && ` It counts as ${formatCount(tables.length)} downloads.`}
      </p>
      {tooLarge === undefined ? (
        <p className="mt-3 flex flex-wrap gap-2">
          <a href={`${url}?format=csv`} className="button" download>
            <Download size={16} aria-hidden="true" />
            .zip of CSV
          </a>
          <a href={url} className="button" download>
            <Download size={16} aria-hidden="true" />
            .zip of Parquet, {formatBytes(bytes)}
          </a>
        </p>
      ) : (
        <p className="mt-3 text-sm">{tooLarge}</p>
      )}
    </section>
  );
}

const Trail = ({ found: { dataset, owner } }: { found: FoundTable }) => (
  <DatasetTrail owner={owner}>
    <Link href={`/datasets/${dataset.slug}`} className="hover:text-accent">
      {dataset.title}
    </Link>
  </DatasetTrail>
);

async function RefusedDownload({ found, refused }: { found: FoundTable; refused: RefusedVersion }) {
  const { dataset, table } = found;
  await answerWith(refused.status);
  return (
    <div className="page py-10">
      <Trail found={found} />
      <h1 className="mt-3 mb-6 text-3xl">Download {table.name}</h1>
      <UnreadVersion message={refused.message} slug={dataset.slug} current={downloadUrl(dataset.slug, table.slug)} />
    </div>
  );
}

const sidesQuery = ({ from, to }: { from: Side; to: Side }) =>
  new URLSearchParams({ from: from.version_id, to: to.version_id });

interface FactsProps {
  dataset: Dataset;
  table: Dataset["tables"][number];
  version: { id: string; content_digest: string; published_at: string; rows: number };
}

function FileFacts({ dataset, table, version }: FactsProps) {
  return (
    <section aria-labelledby="facts" className="mt-8 max-w-2xl border-line border-t pt-6">
      <h2 id="facts" className="sr-only">
        About the file
      </h2>
      <dl className="grid grid-cols-2 gap-3 text-sm sm:grid-cols-3">
        <Fact name="Rows">{formatCount(version.rows)}</Fact>
        <Fact name="Published">{formatDay(version.published_at)}</Fact>
        <Fact name="Licence">
          <LicenseName license={dataset.license} />
        </Fact>
      </dl>
      <dl className="mt-3 grid gap-3 text-sm">
        <Identity name="Version" text={version.id} />
        <Identity name="Parquet digest" text={version.content_digest} />
      </dl>
      <p className="mt-4 text-muted text-sm">
        The Parquet file is verified against this digest before the first byte is sent; the CSV file is written from it.
        Each file counts as one of your {formatCount(env().LIMIT_DOWNLOAD_DAY)} downloads per day. Programs download
        with a use key: see{" "}
        <a className="link" href={`/datasets/${dataset.slug}?table=${table.slug}&use=download#use`}>
          Use it
        </a>
        .
      </p>
    </section>
  );
}

function DifferenceFacts({ dataset, table, sides }: Omit<FactsProps, "version"> & { sides: { from: Side; to: Side } }) {
  const { from, to } = sides;
  const compared = compareUrl(dataset.slug, { table: table.slug, from: from.version_id, to: to.version_id });
  return (
    <section aria-labelledby="facts" className="mt-8 max-w-2xl border-line border-t pt-6">
      <h2 id="facts" className="sr-only">
        About the file
      </h2>
      <dl className="grid grid-cols-2 gap-3 text-sm sm:grid-cols-3">
        <Fact name="From">{from.label ?? formatDay(from.published_at)}</Fact>
        <Fact name="To">{to.label ?? formatDay(to.published_at)}</Fact>
        <Fact name="Licence">
          <LicenseName license={dataset.license} />
        </Fact>
      </dl>
      <p className="mt-4 text-muted text-sm">
        The column <code className="font-mono">change</code> says what happened to a row. A changed row is listed twice,
        as it was and as it is now. Each file counts as one of your {formatCount(env().LIMIT_DOWNLOAD_DAY)} downloads
        per day.{" "}
        <a className="link" href={compared}>
          Back to the comparison
        </a>
        {" · "}
        <a className="link" href="/docs/versions#difference">
          About the columns
        </a>
      </p>
    </section>
  );
}
