import type { ChartSpec } from "@/components/chart/chart-spec";
import { measureOf } from "@/components/chart/measure";
import { valueAsText } from "@/components/explorer/view/filter-values";
import { groupOf, type ViewFilter, type ViewGroup } from "@/components/explorer/view/view";
import { formatCount } from "@/lib/kernel/format";
import type { Column } from "@/lib/schemas/column";
import { finiteFilters, narrowedText, type ViewEnds } from "./chart-ends";
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

/** Points of a line, and bars over numbers or times. */
const SPANS_MAX = { line: 400, bar: 60 } as const;
const CATEGORIES_MAX = 20;
const SERIES_MAX = 8;

/** Lines and bars over spans of x: the number of rows in each, or the mean of y. */
export function* spansPlan(subject: ChartSubject, spec: ChartSpec, ends: ViewEnds): ChartPlan<ChartData> {
  const [x, y, series] = [spec.x, spec.y, spec.series].map((name) => columnNamed(subject.columns, name));
  if (!x) return nothing(spec);
  const kind = spec.kind === "bar" ? "bar" : "line";
  const group = spanGroup(x, ends.columns.get(x.name), SPANS_MAX[kind], spec.step);
  const value = freeName(y ? `mean ${y.name}` : "rows", [spec.x, spec.series]);
  const isRanked = measureOf(x.type) === "category";
  const { filters, note } = commonest(series);
  const rows = rowsOf(subject.view);
  const reply = yield {
    view: {
      ...rows,
      filters: [...rows.filters, ...(y ? finiteFilters(x) : []), ...filters],
      group: [group, ...(series ? [groupOf(series.name)] : [])],
      aggregates: [
        y
          ? { function: "avg", column: y.name, alias: VALUE, ...(finite(y) && { filters: finiteFilters(y) }) }
          : { function: "count", alias: VALUE },
      ],
      sort: isRanked ? [{ column: VALUE, descending: true }] : [{ column: group.alias, descending: false }],
    },
    limit: isRanked ? CATEGORIES_MAX * (series ? SERIES_MAX : 1) : MARKS_MAX,
    total: true,
  };
  return {
    spec: { ...spec, y: value },
    columns: spanColumns(reply, { x, y, series, group, value }),
    rows: reply.rows.map(({ [VALUE]: number, ...row }) => ({ ...row, [value]: number })),
    extent: extentWords(subject, ends, { y, group, reply, isRanked: isRanked && !series }),
    notes: note ? [note] : [],
    marks: { by: "groups", groups: [group, ...(series ? [groupOf(series.name)] : [])] },
  };
}

/** The result's name in the query, where names cannot contain spaces. */
const VALUE = "chart_value";

const finite = (column: Column): boolean => finiteFilters(column).length > 0;

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
function commonest(series: Column | undefined): { filters: ViewFilter[]; note?: string } {
  const { distinct_count: distinct, top_values: top = [] } = series?.profile ?? {};
  if (!series || !distinct || distinct.value <= SERIES_MAX || top.length < SERIES_MAX) return { filters: [] };
  const values = top.slice(0, SERIES_MAX).flatMap(({ value }) => (value === null ? [] : [valueAsText(value)]));
  return {
    filters: [{ column: series.name, operator: "in", values }],
    note: `Shown: the ${values.length} most frequent of ${formatCount(distinct.value)} values of ${series.name}.`,
  };
}

interface Spans {
  x: Column;
  y: Column | undefined;
  series: Column | undefined;
  group: ViewGroup;
  value: string;
}

function spanColumns({ columns }: ChartReply, { x, y, series, group, value }: Spans): ChartData["columns"] {
  return columns.map((column) => {
    if (column.name === VALUE) return { ...column, name: value, unit: y?.unit };
    if (column.name === series?.name && column.name !== x.name) return { ...column, unit: series.unit };
    const width = group.width === undefined ? undefined : Number(group.width);
    return { ...column, unit: x.unit, span: group.bucket, width };
  });
}

/** `All 3,000,000 rows, counted per month`; for categories, also how many of them are drawn. */
function extentWords(
  { view }: ChartSubject,
  ends: ViewEnds,
  { y, group, reply, isRanked }: { y: Column | undefined; group: ViewGroup; reply: ChartReply; isRanked: boolean },
): string {
  const how = y ? `mean ${y.name} ${spanText(group)}` : `counted ${spanText(group)}`;
  const all = `All ${formatCount(ends.rows)} ${narrowedText(ends.rows, view)}, ${how}`;
  if (!reply.truncated) return all;
  const part = `${formatCount(reply.rows.length)} of ${formatCount(reply.total ?? reply.rows.length)}`;
  return isRanked ? `${all}; the largest ${part}` : `${all}; the first ${part} groups`;
}
