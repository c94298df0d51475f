import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { readVersions } from "@/app/catalogue";
import { firstAnswer, readCounted } from "@/app/first-answer";
import { answerWith, Missing, NOT_FOUND, PRIVATE } from "@/app/missing";
import type { RefusedVersion } from "@/app/named-version";
import { datasetPicture } from "@/app/page-picture";
import { redirectToAdded } from "@/app/plain-additions";
import type { SearchParams } from "@/app/search-params";
import { ChartNotes, STILL_WIDTHS } from "@/components/chart/chart";
import { ChartLegends } from "@/components/chart/chart-legend";
import { headingOf } from "@/components/chart/chart-text";
import { drawChart } from "@/components/chart/draw-chart";
import { DatasetTrail } from "@/components/dataset/dataset-head";
import { sentAnswer } from "@/components/explorer/answer/answer-state";
import type { ChartData } from "@/components/explorer/chart/chart-question";
import { Explorer } from "@/components/explorer/explorer";
import { PlainControls } from "@/components/explorer/view/plain-controls";
import { tableSqlUrl } from "@/components/sql/sql-address";
import { Notice } from "@/components/ui/notice";
import { UnreadVersion } from "@/components/versions/unread-version";
import { readerOf } from "@/lib/access/actor";
import { tableSegment } from "@/lib/describe/links";
import { stringifyExactJson } from "@/lib/formats/exact-json";
import { JSON_FORMAT, PAGE_FORMATS, type PageFormat } from "@/lib/formats/page-formats";
import { ROW_FILES, type RowFile } from "@/lib/formats/row-files";
import { env } from "@/lib/kernel/env";
import { formatBytes, formatDay, formatPlural } from "@/lib/kernel/format";
import { tooLargeText } from "@/lib/limits/download-size";
import { lookedUpColumns } from "@/lib/operations/reading/looked-up-columns";
import type { Dataset } from "@/lib/schemas/dataset";
import type { View } from "@/lib/view/view";
import { explorerUrl, readView, viewSearch } from "@/lib/view/view-address";
import { type ExploredVersion, exploredVersion } from "./explored-version";
import { type FoundTable, findTable } from "./find-table";
import { firstChart } from "./first-chart";
import { StillChart } from "./still-chart";

export const dynamic = "force-dynamic";

type Props = { params: Promise<{ slug: string; table: string }>; searchParams: SearchParams };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = await findTable(await params);
  if (!found) return NOT_FOUND;
  const { dataset, table, owner } = found;
  const title = dataset.tables.length > 1 ? `${table.name}, ${dataset.title}` : dataset.title;
  const description =
    `Filter, group and chart the ${formatPlural(table.rows, "row")} of ${table.name} in your browser. ` +
    `${dataset.summary}`;
  const url = `${dataset.url}/${tableSegment(table.slug)}`;
  if (owner) return { ...PRIVATE, title: `Explore ${title}`, description };
  return {
    title: `Explore ${title}`,
    description,
    alternates: { canonical: url },
    openGraph: {
      type: "website",
      siteName: "Parquetry",
      title: `Explore ${title}`,
      description,
      url,
      images: datasetPicture(dataset),
    },
  };
}

/** `This is an older version, 1.50.0, published on 15 Sept 2021`. */
const olderText = ({ label, publishedAt }: NonNullable<ExploredVersion["older"]>): string =>
  ["This is an older version", ...(label ? [label] : []), `published on ${formatDay(publishedAt)}`].join(", ");

/** Data formats first, because JSON is for programs. */
const DOWNLOADS = [...PAGE_FORMATS, JSON_FORMAT].map(({ label, media, extension, needs }: PageFormat) => ({
  label,
  media,
  extension,
  ...(needs && { needs }),
}));

const ROW_DOWNLOADS = Object.entries<RowFile>(ROW_FILES).map(
  ([
    extension,
    {
      format: { label },
      rowsMax,
    },
  ]) => ({
    label,
    extension,
    ...(rowsMax !== undefined && { rowsMax }),
  }),
);

export default async function ExplorerPage({ params, searchParams }: Props) {
  const found = await findTable(await params);
  if (!found) return <Missing near={(await params).slug} />;
  const { dataset, table, ctx, owner } = found;
  const parameters = await searchParams;
  const path = `/datasets/${dataset.slug}/${tableSegment(table.slug)}`;
  const explored = await exploredVersion(dataset, table, parameters, ctx);
  if ("status" in explored) return <RefusedExplorer {...found} refused={explored} />;
  const columns = [
    ...explored.columns,
    ...(await lookedUpColumns([parameters.lookup ?? []].flat(), readerOf(ctx), ctx)),
  ];
  const { view } = readView(parameters, columns);
  if (parameters.as_of) redirect(`${path}${viewSearch({ ...view, version: explored.id })}`);
  redirectToAdded(parameters, path, view, columns);
  const tiers = { anonymousRows: env().ROWS_ANONYMOUS, keyRows: env().ROWS_KEY };
  const [first, { versions }] = await Promise.all([
    firstAnswer(readCounted(table.tableId), view, columns, tiers.anonymousRows, ctx),
    readVersions(table.tableId, ctx),
  ]);
  const chart = await firstChart(table.tableId, view, { ...explored, columns }, first, ctx);
  return (
    <div className="explorer-page py-6 sm:py-8">
      <ExplorerHead dataset={dataset} table={table} owner={owner}>
        <p className="text-muted text-sm tabular-nums">
          {formatPlural(explored.rows, "row")},{" "}
          <Link className="link" prefetch={false} href={`/datasets/${dataset.slug}?table=${table.slug}#columns`}>
            {formatPlural(explored.columns.length, "column")}
          </Link>
          , {formatBytes(explored.bytes)} of Parquet, {table.license},{" "}
          <Link className="link" prefetch={false} href={tableSqlUrl(dataset.slug, table.slug, explored.id)}>
            open in SQL
          </Link>
        </p>
      </ExplorerHead>
      {explored.older && (
        <div className="mb-4">
          <Notice tone="info" title={olderText(explored.older)}>
            <Link className="link" href={path}>
              Explore the current version
            </Link>
          </Notice>
        </div>
      )}
      <noscript>
        <PlainControls path={path} view={view} columns={columns} />
      </noscript>
      <Explorer
        key={explored.id}
        table={{
          id: table.tableId,
          name: table.name,
          rows: explored.rows,
          path,
          source: `${dataset.publisher.name}: ${dataset.title} (${table.license})`,
          fileName: `${dataset.slug}-${table.slug}`,
          owner,
          published: {
            slug: table.slug,
            dataset: dataset.slug,
            siblings: dataset.tables
              .filter(({ tableId }) => tableId !== table.tableId)
              .map(({ tableId: id, slug }) => ({ id, slug })),
            queryUrl: table.query_url,
            anonymousUrl: table.query_url.replace("/api/v2/public/", "/api/public/"),
            currentUrl: table.current_url,
            versions: versions.map(({ version_id: id, label, published_at: publishedAt, current: isCurrent }) => ({
              ...{ id, label, publishedAt, isCurrent },
            })),
            explored: explored.id,
            versionsUrl: `/datasets/${dataset.slug}/versions`,
            formats: DOWNLOADS,
            rowFiles: ROW_DOWNLOADS,
            tooLarge: tooLargeText(table.bytes),
          },
        }}
        tiers={tiers}
        columnsText={stringifyExactJson(columns)}
        first={sentAnswer(first)}
        firstChart={chart?.text}
        still={chart && <StillChart data={chart.data} land={chart.land} words={view} />}
        room={chart && <ChartRoom data={chart.data} view={view} />}
      />
    </div>
  );
}

type Open = Pick<FoundTable, "dataset" | "table" | "owner">;

/** The page of a version that cannot be read. */
async function RefusedExplorer({ dataset, table, owner, refused }: Open & { refused: RefusedVersion }) {
  await answerWith(refused.status);
  return (
    <div className="explorer-page py-6 sm:py-8">
      <ExplorerHead dataset={dataset} table={table} owner={owner} />
      <UnreadVersion message={refused.message} slug={dataset.slug} current={explorerUrl(dataset.slug, table.slug)} />
    </div>
  );
}

/** `children`: facts about the version. */
function ExplorerHead({ dataset, table, owner, children }: Open & { children?: ReactNode }) {
  return (
    <header className="mb-4">
      <DatasetTrail owner={owner}>
        <Link className="hover:text-accent" prefetch={false} href={`/datasets/${dataset.slug}`}>
          {dataset.title}
        </Link>
      </DatasetTrail>
      <div className="mt-1 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h1 className="text-2xl sm:text-3xl">{table.name}</h1>
        {children}
      </div>
      <TableSwitch dataset={dataset} open={table} />
    </header>
  );
}

/** Links to the explorers of the dataset's tables. */
function TableSwitch({ dataset, open }: { dataset: Dataset; open: Open["table"] }) {
  if (dataset.tables.length < 2) return null;
  return (
    <nav aria-label="Tables of this dataset" className="mt-2">
      <ul className="flex flex-wrap gap-1.5">
        {dataset.tables.map((table) => (
          <li key={table.tableId}>
            <Link
              className="chip aria-[current]:border-accent aria-[current]:text-accent"
              prefetch={false}
              href={explorerUrl(dataset.slug, table.slug)}
              aria-current={table === open ? "page" : undefined}
            >
              {table.name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/**
 * The room of a view's chart until its code has loaded: the same parts at the same heights, with an empty drawing, so
 * that nothing below moves.
 */
function ChartRoom({ data: { spec, columns, rows, extent, notes }, view }: { data: ChartData; view: View }) {
  const drawings = STILL_WIDTHS.map(({ className, width }) => ({
    className,
    drawing: drawChart(spec, columns, rows, width),
  }));
  const [first] = drawings;
  if (!first || "problem" in first.drawing) return null;
  const { drawing } = first;
  return (
    <div className="chart-room needs-script" aria-hidden="true">
      <div className="chart-choices" />
      <div className="chart">
        <p className="chart-heading">
          <b>{view.title ?? headingOf(drawing.name)}</b> <span className="chart-extent">{extent}</span>
        </p>
        <ChartLegends drawing={drawing} label={spec.series} kind={spec.kind} />
        {drawings.map(
          ({ className, drawing: sized }) =>
            "height" in sized && <svg key={className} className={`chart-svg ${className}`} height={sized.height} />,
        )}
        <ChartNotes notes={[...notes, ...(view.note ? [view.note] : []), ...drawing.notes]} />
        <p className="chart-hint">Select a value to see the rows behind it.</p>
        <p className="chart-save" />
      </div>
      <p className="chart-words" />
    </div>
  );
}
