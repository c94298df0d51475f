import { tableSegment } from "@/lib/describe/links";
import "server-only";
import { readPublicDataset } from "@/app/catalogue";
import { readCitation } from "@/app/read-citation";
import { isChartKind } from "@/components/chart/chart-spec";
import { withAxisTitles } from "@/components/chart/chart-text";
import type { EmbedData } from "@/components/embed/embed-data";
import { isNarrowed } from "@/components/explorer/answer/answer-state";
import { type Extent, extentTitle, partText } from "@/components/explorer/answer/extent-text";
import { coversTable, wantedChart } from "@/components/explorer/chart/wanted-chart";
import { chartSentence, viewSentence } from "@/components/explorer/view/english";
import { readerOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { execute } from "@/lib/operations/execute";
import { getVersion } from "@/lib/operations/get-version";
import { locateChosen, locateNamed, locateTable } from "@/lib/operations/reading/locate-table";
import { lookedUpColumns } from "@/lib/operations/reading/looked-up-columns";
import type { Column } from "@/lib/schemas/column";
import { isGroupedView, type View } from "@/lib/view/view";
import { explorerUrl, readView } from "@/lib/view/view-address";
import { answerOnce } from "./answer-once";
import { chartOnce } from "./chart-once";
import { landOf } from "./land-of";

const ROWS_SHOWN = 50;

/** The contents of a frame, by its URL. Fails with faults for the URL's author. */
export async function readEmbed(
  slug: string,
  segment: string,
  parameters: URLSearchParams,
  ctx: Context,
): Promise<EmbedData> {
  const dataset = await readPublicDataset(slug);
  const table = dataset?.tables.find((entry) => tableSegment(entry.slug) === segment);
  if (!dataset || !table) throw fail("not_found", { message: "Table not found or not public." });
  const current = await locateTable(table.tableId, readerOf(ctx));
  const name = parameters.get("version");
  const asOf = parameters.get("as_of") || undefined;
  const { versionId } = asOf
    ? await locateChosen(current, { version_id: name || undefined, as_of: asOf }, "?", ctx.now())
    : name
      ? await locateNamed(current, name, "?version")
      : current;
  const read = await execute(getVersion, { path: { slug, version_id: versionId } }, ctx);
  const columns = [...read.columns, ...(await lookedUpColumns(parameters.getAll("lookup"), readerOf(ctx), ctx))];
  const sealed = { ...read, columns };
  const { view, faults } = readView(parameters, columns);
  if (faults.length > 0)
    throw fail("invalid_request", {
      message: "Invalid view for this table.",
      faults: faults.map(({ parameter, text, message }) => ({
        pointer: `?${parameter}`,
        code: "invalid_request",
        message: `${parameter}=${text}: ${message}`,
      })),
    });
  const shown = {
    tableId: table.tableId,
    name: table.name,
    view: { ...view, firstRow: undefined, version: versionId },
    sealed,
  };
  const citation = await readCitation({ slug, version_id: versionId }, ctx);
  return {
    dataset: { title: dataset.title, publisher: dataset.publisher.name, license: sealed.table.license },
    tableName: table.name,
    version: { id: versionId, digest: sealed.version.content_digest, publishedAt: sealed.version.published_at },
    citation: citation.text,
    explorerUrl: `${ctx.baseUrl}${explorerUrl(slug, table.slug, view)}`,
    title: view.title,
    note: view.note,
    ...((await readChart(shown, ctx)) ?? (await readRows(shown, ctx))),
  };
}

interface Shown {
  tableId: string;
  name: string;
  view: View & { version: string };
  sealed: { columns: readonly Column[]; version: { rows: number } };
}

type Content = Pick<EmbedData, "sentence" | "extent" | "columns" | "rows" | "chart" | "notes" | "land">;

/** The chart of a view, over all of its rows; undefined if it has none. */
async function readChart(shown: Shown, ctx: Context): Promise<Content | undefined> {
  const { view, sealed, tableId, name } = shown;
  if (!view.chart) return undefined;
  const isKnown = isChartKind(view.chart.kind) || coversTable(view);
  const sample = isKnown ? undefined : await answerOnce(tableId, view, sealed.columns, ctx);
  const table = { columns: sealed.columns, rows: sealed.version.rows };
  const spec = wantedChart(view, { table, columns: sample?.columns ?? [], sample: () => sample?.rows ?? [] });
  if (!spec) return undefined;
  const subject = { view, ...table };
  const { spec: chart, ...data } = await chartOnce(tableId, subject, spec, ctx);
  return {
    ...data,
    columns: withAxisTitles(data.columns, chart, view),
    chart,
    land: await landOf(chart, data.rows),
    sentence: isPlain(view) ? `${name}.` : chartSentence(view, sealed.columns, name),
  };
}

async function readRows({ view, sealed, tableId, name }: Shown, ctx: Context): Promise<Content> {
  const limit = Math.min(view.limit ?? ROWS_SHOWN, env().ROWS_ANONYMOUS);
  const isGrouped = isGroupedView(view);
  const isPart = isGrouped || isNarrowed(view);
  const reply = await answerOnce(tableId, { ...view, limit }, sealed.columns, ctx, { total: isPart });
  const extent: Extent = {
    shown: reply.rows.length,
    total: isPart ? reply.execution.total_rows : sealed.version.rows,
    isPartial: reply.execution.truncated,
    noun: isGrouped ? "group" : "row",
  };
  return {
    sentence: isPlain(view)
      ? ""
      : viewSentence(view, sealed.columns, name, partText(extent) ?? (isGrouped ? "" : undefined)),
    extent: extentTitle(extent),
    columns: reply.columns.map((column) => ({
      ...column,
      unit: sealed.columns.find(({ name: own }) => own === column.name)?.unit,
    })),
    rows: reply.rows,
    notes: [],
  };
}

/** Whether a view is the unmodified table, with any number of rows. */
const isPlain = (view: View): boolean =>
  !isGroupedView(view) &&
  view.columns === undefined &&
  view.search === undefined &&
  view.near === undefined &&
  view.filters.length + view.order_by.length === 0;
