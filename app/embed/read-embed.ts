import { tableSegment } from "@/lib/describe/links";
import "server-only";
import { readDataset } from "@/app/catalogue";
import { readCitation } from "@/app/read-citation";
import { type ChartSpec, isChartKind } from "@/components/chart/chart-spec";
import { suggestChart } from "@/components/chart/suggest-chart";
import type { EmbedData } from "@/components/embed/embed-data";
import { type Extent, extentTitle, partText } from "@/components/explorer/answer/extent-text";
import { viewSentence } from "@/components/explorer/view/english";
import { groupAliases, isGroupedView, type View } from "@/components/explorer/view/view";
import { explorerUrl, readView } from "@/components/explorer/view/view-address";
import type { Context } from "@/lib/access/context";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { execute } from "@/lib/operations/execute";
import { getVersion } from "@/lib/operations/get-version";
import { answerOnce } from "./answer-once";

const ROWS_SHOWN = 50;

/** The contents of a frame, by its address. Fails with faults for the author of the address. */
export async function readEmbed(
  slug: string,
  segment: string,
  parameters: URLSearchParams,
  ctx: Context,
): Promise<EmbedData> {
  const dataset = await readDataset(slug);
  const table = dataset?.tables.find((entry) => tableSegment(entry.slug) === segment);
  if (!dataset || !table) throw fail("not_found", { message: "Table not found or not public." });
  const versionId = parameters.get("version") || table.version_id;
  const sealed = await execute(getVersion, { path: { slug, version_id: versionId } }, ctx);
  if (sealed.table.id !== table.tableId) throw fail("not_found", { message: "The version belongs to another table." });
  const { view, faults } = readView(parameters, sealed.columns);
  if (faults.length > 0)
    throw fail("invalid_request", {
      message: "Invalid view for this table.",
      faults: faults.map(({ parameter, text, message }) => ({
        pointer: `?${parameter}`,
        code: "invalid_request",
        message: `${parameter}=${text}: ${message}`,
      })),
    });
  const limit = Math.min(view.limit ?? (view.chart ? env().ROWS_ANONYMOUS : ROWS_SHOWN), env().ROWS_ANONYMOUS);
  const reply = await answerOnce(table.tableId, { ...view, version: versionId, limit }, sealed.columns, ctx);
  const citation = await readCitation({ slug, version_id: versionId }, ctx);
  const columns = reply.columns.map((column) => ({
    ...column,
    unit: sealed.columns.find(({ name }) => name === column.name)?.unit,
  }));
  const isGrouped = isGroupedView(view);
  const extent: Extent = {
    shown: reply.rows.length,
    total: isGrouped || view.filters.length > 0 ? undefined : sealed.version.rows,
    isPartial: reply.execution.truncated,
    noun: isGrouped ? "group" : "row",
  };
  return {
    dataset: { title: dataset.title, publisher: dataset.publisher.name, license: sealed.table.license },
    tableName: table.name,
    version: { id: versionId, digest: sealed.version.content_digest, publishedAt: sealed.version.published_at },
    citation: citation.text,
    explorerUrl: `${ctx.baseUrl}${explorerUrl(slug, table.slug, view)}`,
    sentence: isPlain(view) ? "" : viewSentence(view, sealed.columns, table.name, partText(extent)),
    extent: extentTitle(extent),
    columns,
    rows: reply.rows,
    chart: chartOf(view, columns, reply.rows),
  };
}

/** Whether a view is the unmodified table, with any number of rows. */
const isPlain = (view: View): boolean =>
  !isGroupedView(view) && view.columns === undefined && view.filters.length + view.sort.length === 0;

/** The chart selected by the address, or the most suitable one. */
function chartOf(
  { chart, group, sort }: View,
  columns: EmbedData["columns"],
  rows: EmbedData["rows"],
): ChartSpec | undefined {
  if (!chart) return undefined;
  if (isChartKind(chart.kind)) return { ...chart, kind: chart.kind };
  return suggestChart(columns, { groups: groupAliases({ group }), orders: sort.map((key) => key.column) }, rows);
}
