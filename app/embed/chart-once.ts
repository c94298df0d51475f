import "server-only";
import type { ChartSpec } from "@/components/chart/chart-spec";
import { chartPlan } from "@/components/explorer/chart/chart-plan";
import { type ChartData, type ChartSubject, runPlan } from "@/components/explorer/chart/chart-question";
import type { Context } from "@/lib/access/context";
import { answerOnce } from "./answer-once";

/** The chart of a view of one version, over all of its rows. Its queries are answered once for everyone. */
export function chartOnce(
  tableId: string,
  subject: ChartSubject & { view: { version: string } },
  spec: ChartSpec,
  ctx: Context,
): Promise<ChartData> {
  const { version } = subject.view;
  return runPlan(chartPlan(subject, spec), async ({ view, limit, total }) => {
    const page = { limit, ...(total && { total }), isChart: true as const };
    const { columns, rows, execution } = await answerOnce(tableId, { ...view, version }, subject.columns, ctx, page);
    return { columns, rows, total: execution.total_rows, truncated: execution.truncated };
  });
}
