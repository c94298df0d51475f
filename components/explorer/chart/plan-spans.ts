import type { ChartSpec } from "@/components/chart/chart-spec";
import { measureOf } from "@/components/chart/measure";
import { SPANS_MAX } from "@/components/chart/span-lengths";
import { formatCount } from "@/lib/kernel/format";
import type { Column } from "@/lib/schemas/column";
import { filterOn, valueAsText } from "@/lib/view/filter-values";
import { type NamedGroup, namedGroup, type ViewFilter } from "@/lib/view/view";
import { averageOf, finiteFilters, narrowedText, type ViewEnds } from "./chart-ends";
import {
  type ChartData,
  type ChartPlan,
  type ChartReply,
  type ChartSubject,
  columnNamed,
  MARKS_MAX,
  rowsOf,
} from "./chart-question";
import { spanGroup, spanText } from "./chart-spans";
import { partialSpans } from "./partial-spans";

const CATEGORIES_MAX = 20;
const SERIES_MAX = 8;

/** Lines and bars over spans of x: the number of rows in each, or the mean of y. */
export function* spansPlan(subject: ChartSubject, spec: ChartSpec, ends: ViewEnds): ChartPlan<ChartData> {
  const [x, y, series] = [spec.x, spec.y, spec.series].map((name) => columnNamed(subject.columns, name));
  if (!x) return nothing(spec);
  const kind = spec.kind === "bar" ? "bar" : "line";
  const spans = spanGroup(x, ends.columns.get(x.name), SPANS_MAX[kind], spec.step);
  const groups = [spans, ...(series ? [series.name] : [])];
  const group = namedGroup(spans);
  const value = freeName(y ? `average ${y.name}` : "rows", [spec.x, spec.series]);
  const isRanked = measureOf(x.type) === "category";
  const { filters, part } = commonest(series);
  const rows = rowsOf(subject.view);
  const reply = yield {
    view: {
      ...rows,
      filters: [...rows.filters, ...(y ? finiteFilters(x) : []), ...filters],
      group_by: groups,
      aggregates: [y ? averageOf(y, VALUE) : { function: "count", as: VALUE }],
      order_by: [isRanked ? { column: VALUE, direction: "desc" } : { column: x.name, direction: "asc" }],
    },
    limit: isRanked ? CATEGORIES_MAX * (series ? SERIES_MAX : 1) : MARKS_MAX,
    total: true,
  };
  const partial = partialSpans(x, group.bucket, rows.filters);
  return {
    spec: { ...spec, y: value },
    columns: spanColumns(reply, { x, y, series, group, value, partial: partial.starts }),
    rows: reply.rows.map(({ [VALUE]: number, ...row }) => ({ ...row, [value]: number })),
    extent: extentText(subject, ends, { y, group, reply, isRanked: isRanked && !series, part }),
    notes: partial.notes,
    marks: { by: "groups", groups },
  };
}

/** The result's name in the query, where names cannot contain spaces. */
const VALUE = "chart_value";

const nothing = (spec: ChartSpec): ChartData => ({
  spec,
  columns: [],
  rows: [],
  extent: "",
  notes: [],
  marks: { by: "values", columns: [] },
});

const freeName = (name: string, taken: readonly (string | undefined)[]): string =>
  taken.includes(name) ? freeName(`${name}_`, taken) : name;

/** Only as many series as there are colours: those with the most rows in the whole table. */
function commonest(series: Column | undefined): { filters: ViewFilter[]; part?: string } {
  const { distinct_count: distinct, top_values: top = [] } = series?.profile ?? {};
  if (!series || !distinct || distinct.value <= SERIES_MAX || top.length < SERIES_MAX) return { filters: [] };
  const values = top.slice(0, SERIES_MAX).flatMap(({ value }) => (value === null ? [] : [valueAsText(value)]));
  return {
    filters: [filterOn(series, "in", values)],
    part: `${values.length} of ${formatCount(distinct.value)} values of ${series.name}`,
  };
}

interface Spans {
  x: Column;
  y: Column | undefined;
  series: Column | undefined;
  group: NamedGroup;
  value: string;
  partial: readonly number[];
}

function spanColumns({ columns }: ChartReply, { x, y, series, group, value, partial }: Spans): ChartData["columns"] {
  return columns.map((column) => {
    if (column.name === VALUE)
      return { ...column, name: value, title: y ? `Average of ${y.name}` : "Number of rows", unit: y?.unit };
    if (column.name === series?.name && column.name !== x.name) return { ...column, unit: series.unit };
    return { ...column, unit: x.unit, span: group.bucket, width: group.width && Number(group.width), partial };
  });
}

interface Words {
  y: Column | undefined;
  group: NamedGroup;
  reply: ChartReply;
  isRanked: boolean;
  /** Which series are drawn, if not all. */
  part: string | undefined;
}

/**
 * `All 3,000,000 rows, counted per month`; for categories, also how many of them are drawn; for the commonest series,
 * only those: `8 of 229 values of origin, counted per month`.
 */
function extentText({ view }: ChartSubject, ends: ViewEnds, { y, group, reply, isRanked, part }: Words): string {
  const how = y ? `average ${y.name} ${spanText(group)}` : `counted ${spanText(group)}`;
  const all = `${part ?? `All ${formatCount(ends.rows)} ${narrowedText(ends.rows, view)}`}, ${how}`;
  if (!reply.truncated) return all;
  const shown = `${formatCount(reply.rows.length)} of ${formatCount(reply.total ?? reply.rows.length)}`;
  return isRanked ? `${all}; the largest ${shown}` : `${all}; the first ${shown} groups`;
}
