import "server-only";
import { chartOnce } from "@/app/embed/chart-once";
import { landOf } from "@/app/embed/land-of";
import type { Land } from "@/components/chart/land";
import type { AnswerState } from "@/components/explorer/answer/answer-state";
import { readRow } from "@/components/explorer/answer/reply-text";
import type { ChartData } from "@/components/explorer/chart/chart-question";
import { type ChartText, writeChart } from "@/components/explorer/chart/chart-text";
import { chartKey, wantedChart } from "@/components/explorer/chart/wanted-chart";
import type { Context } from "@/lib/access/context";
import { Failure } from "@/lib/kernel/errors";
import type { View } from "@/lib/view/view";
import type { ExploredVersion } from "./explored-version";

/** The longest that a page waits for its chart. After that, the browser requests it. */
const PATIENCE_MS = 2500;
/** Larger charts are not sent with the page. */
const TEXT_MAX = 200_000;

interface FirstChart {
  /** For browsers without JavaScript. */
  data: ChartData;
  land: Land | undefined;
  /** For all other browsers. */
  text: ChartText | undefined;
}

/** The chart of a page's view; undefined if it has none, takes too long, or its queries are rejected. */
export async function firstChart(
  tableId: string,
  view: View,
  explored: ExploredVersion,
  { answered }: AnswerState,
  ctx: Context,
): Promise<FirstChart | undefined> {
  if (!view.chart || !answered) return undefined;
  const { columns: columnsOf, rows: sample } = answered;
  const spec = wantedChart(view, { table: explored, columns: columnsOf, sample: () => sample.map(readRow) });
  if (!spec) return undefined;
  const { columns, rows, id: version } = explored;
  const subject = { view: { ...view, version }, columns, rows };
  const made = chartOnce(tableId, subject, spec, ctx).catch(unlessRejected);
  const data = await Promise.race([made, patience()]);
  if (!data) return undefined;
  const text = writeChart(chartKey(view, spec), data);
  return { data, land: await landOf(spec, data.rows), text: text.text.length > TEXT_MAX ? undefined : text };
}

/** The browser repeats the query and shows the error. */
function unlessRejected(error: unknown): undefined {
  if (error instanceof Failure) return undefined;
  throw error;
}

const patience = () => new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS, undefined).unref());
