import { type BinRow, binEdges, binRowColumns } from "@/components/chart/bin-edges";
import type { ChartRow, ChartSpec } from "@/components/chart/chart-spec";
import { measureOf, positionOf } from "@/components/chart/measure";
import { isNarrowed } from "@/components/explorer/answer/answer-state";
import { formatCount, formatPlural } from "@/lib/kernel/format";
import type { Column } from "@/lib/schemas/column";
import { filterOn } from "@/lib/view/filter-values";
import type { ViewAggregate, ViewFilter } from "@/lib/view/view";
import { coreOf, type Ends, endsOf, finiteFilters, narrowedText } from "./chart-ends";
import {
  type ChartData,
  type ChartPlan,
  type ChartReply,
  type ChartSubject,
  columnNamed,
  rowsOf,
} from "./chart-question";
import { isWhole } from "./chart-spans";
import { edgeValue } from "./edge-value";

/**
 * A histogram over all rows of a view. The engine counts its bins. Where outliers would squeeze them, they are regular
 * between the 1st and the 99th percentile, with one bin for all values below and one for all above.
 */
export function* binsPlan(subject: ChartSubject, spec: ChartSpec): ChartPlan<ChartData> {
  const [x, y] = [spec.x, spec.y].map((name) => columnNamed(subject.columns, name));
  if (!x) return binned(subject, spec, [], { rows: 0 });
  if (!y && !isNarrowed(subject.view) && x.profile.histogram)
    return binned(subject, spec, profileBins(x), { x, rows: subject.rows });
  const ends = yield* endsOf(subject, [x.name]);
  const own = ends.columns.get(x.name);
  if (!own) return binned(subject, spec, [], { x, rows: ends.rows });
  const bins = emptyBins(x, own);
  const reply = yield {
    view: { ...rowsOf(subject.view), aggregates: bins.map((bin, at) => binAggregate(bin, at, x, y)) },
  };
  return binned(subject, spec, counted(bins, reply), { x, y, rows: ends.rows });
}

function profileBins({ type, profile }: Column): BinRow[] {
  const { edges = [], counts = [], overflow } = profile.histogram ?? {};
  const at = (edge: unknown) => positionOf(edge, measureOf(type)) ?? 0;
  return counts.map((rows, index) => ({
    from: at(edges[index]),
    to: at(edges[index + 1]),
    rows,
    ...(index === 0 && overflow?.first && { outside: "below" as const }),
    ...(index === counts.length - 1 && overflow?.last && { outside: "above" as const }),
  }));
}

function emptyBins(x: Column, ends: Ends): BinRow[] {
  const [low, high] = coreOf(ends);
  const edges = binEdges([low, high], measureOf(x.type), isWhole(x));
  const [first = low, last = high] = [edges[0], edges.at(-1)];
  return [
    ...(ends.min < first ? [{ from: ends.min, to: first, rows: 0, outside: "below" as const }] : []),
    ...edges.slice(0, -1).map((from, at) => ({ from, to: edges[at + 1] ?? from, rows: 0 })),
    ...(ends.max > last ? [{ from: last, to: ends.max, rows: 0, outside: "above" as const }] : []),
  ];
}

/** The rows of a bin: the lower edge belongs to it, the upper one to the next, if there is one. */
function binAggregate(bin: BinRow, at: number, x: Column, y: Column | undefined): ViewAggregate {
  const filters = [...binRowFilters(bin, x), ...(bin.outside ? finiteFilters(x) : [])];
  const as = `bin_${at}`;
  return y ? { function: "sum", column: y.name, filters, as } : { function: "count", filters, as };
}

/** The filters that select the rows of a bin. */
export function binRowFilters({ from, to, outside, isLast }: BinRow, column: Column): ViewFilter[] {
  const filter = (operator: ViewFilter["operator"], edge: number) =>
    filterOn(column, operator, [edgeValue(edge, column)]);
  if (outside === "below") return [filter("lt", to)];
  if (outside === "above") return [filter("gte", from)];
  return [filter("gte", from), filter(isLast ? "lte" : "lt", to)];
}

function counted(bins: readonly BinRow[], { rows: [row = {}] }: ChartReply): BinRow[] {
  return bins.map((bin, at) => ({ ...bin, rows: Number(row[`bin_${at}`] ?? 0) }));
}

function binned(
  { view }: ChartSubject,
  spec: ChartSpec,
  bins: readonly BinRow[],
  { x, y, rows }: { x?: Column | undefined; y?: Column | undefined; rows: number },
): ChartData {
  const how = y ? `sum of ${y.name} in bins` : "counted in bins";
  const isClipped = bins.some(({ outside }) => outside);
  const missing = x && !isNarrowed(view) ? x.profile.null_count : 0;
  return {
    spec: { ...spec, binned: true },
    columns: x ? binRowColumns(x, y) : [],
    rows: bins as unknown as readonly ChartRow[],
    extent: `All ${formatCount(rows)} ${narrowedText(rows, view)}, ${how}`,
    notes: [
      ...(isClipped && x ? [`Bins are regular between the 1st and 99th percentiles of ${x.name}.`] : []),
      ...(missing > 0 && x ? [`Not shown: ${formatPlural(missing, "row")} without a value for ${x.name}.`] : []),
    ],
    marks: { by: "bins", column: spec.x },
  };
}
