import { keyOf } from "@/components/chart/chart-data";
import type { ChartColumn, ChartRow, ChartSpec } from "@/components/chart/chart-spec";
import { drawnParts } from "@/components/chart/drawn-part";
import { isNarrowed } from "@/components/explorer/answer/answer-state";
import { type Extent, extentTitle } from "@/components/explorer/answer/extent-text";
import { functionText } from "@/components/explorer/view/english";
import { aliasFor } from "@/components/explorer/view/view-changes";
import { BUCKETS } from "@/lib/engine/types/buckets";
import { isSpan } from "@/lib/engine/types/spans";
import type { Column } from "@/lib/schemas/column";
import { isGroupedView, type NamedGroup, namedGroup, type View, type ViewAggregate } from "@/lib/view/view";
import { endsOf } from "./chart-ends";
import {
  type ChartData,
  type ChartPlan,
  type ChartReply,
  type ChartSubject,
  columnNamed,
  MARKS_MAX,
  type MarkRows,
} from "./chart-question";
import { partialSpans } from "./partial-spans";
import { binsPlan } from "./plan-bins";
import { cellsPlan } from "./plan-cells";
import { spansPlan } from "./plan-spans";

/** The queries of a chart and what is drawn from their replies. Its extent says what there is no room for. */
export function* chartPlan(subject: ChartSubject, spec: ChartSpec): ChartPlan<ChartData> {
  const data = yield* planOf(subject, spec);
  const parts = drawnParts(data.spec, data.columns, data.rows).filter((part) => !data.extent.includes(part));
  return { ...data, extent: [data.extent, ...parts].join("; ") };
}

/** Whether several rows have the same place on a line or the same bar. A line through all of them would zigzag. */
function sharesPlaces({ kind, x, series }: ChartSpec, rows: readonly ChartRow[]): boolean {
  if (kind !== "line" && kind !== "bar") return false;
  return new Set(rows.map((row) => keyOf([row[x], series === undefined ? null : row[series]]))).size < rows.length;
}

/**
 * A chart always covers all rows of its view: up to a few thousand are drawn one by one, more are aggregated by the
 * engine, and so are those that share a place on a line or bar.
 */
function* planOf(subject: ChartSubject, spec: ChartSpec): ChartPlan<ChartData> {
  const { view } = subject;
  if (isGroupedView(view)) return yield* groupsPlan(subject, spec);
  if (view.limit !== undefined || view.top) return yield* rowsPlan(subject, spec, view.limit);
  if (spec.kind === "histogram") return yield* binsPlan(subject, spec);
  const ends = yield* endsOf(subject, [spec.x, spec.y]);
  if (spec.y !== "" && spec.step === undefined && ends.rows <= MARKS_MAX) {
    const data = yield* rowsPlan(subject, spec, undefined);
    if (!sharesPlaces(data.spec, data.rows)) return data;
  }
  return yield* spec.kind === "scatter" || spec.kind === "map"
    ? cellsPlan(subject, spec, ends)
    : spansPlan(subject, spec, ends);
}

/** The groups of a grouped view. */
function* groupsPlan({ view, columns }: ChartSubject, spec: ChartSpec): ChartPlan<ChartData> {
  const limit = Math.min(view.limit ?? MARKS_MAX, MARKS_MAX);
  const reply = yield { view: { ...view, chart: undefined }, limit, total: true };
  const partial = new Map(view.group_by.map(namedGroup).map((group) => [group.as, partialOf(group, view, columns)]));
  return {
    spec,
    columns: reply.columns.map((column) => ({
      ...column,
      ...groupedColumn(view, column.name, columns),
      partial: partial.get(column.name)?.starts,
    })),
    rows: reply.rows,
    extent: extentTitle(extentOf(reply, "group")),
    notes: partial.get(spec.x)?.notes ?? [],
    marks: { by: "groups", groups: view.group_by },
  };
}

function partialOf({ column: name, bucket }: NamedGroup, { filters }: View, columns: readonly Column[]) {
  const column = columnNamed(columns, name);
  return column && partialSpans(column, bucket, filters);
}

function groupedColumn(view: View, name: string, columns: readonly Column[]): Omit<ChartColumn, "name" | "type"> {
  const group = view.group_by.map(namedGroup).find(({ as }) => as === name);
  const from = group?.column ?? view.aggregates.find(({ as }) => as === name)?.column;
  return {
    title: resultTitle(view, name),
    unit: hasUnit(view, name) ? unitOf(columns, from ?? "") : undefined,
    span: group?.bucket,
    width: group?.width && Number(group.width),
  };
}

/** Results that do not have their column's unit, such as counts. */
const hasUnit = ({ aggregates }: View, name: string): boolean =>
  !aggregates.some((entry) => entry.as === name && /^(?:count|count_distinct|share|variance)$/.test(entry.function));

/** The rows themselves; only the first ones if the view has a limit. */
function* rowsPlan(
  { view, columns, rows }: ChartSubject,
  spec: ChartSpec,
  limit: number | undefined,
): ChartPlan<ChartData> {
  const names = [...new Set([spec.x, spec.y, spec.series ?? "", spec.size ?? ""])].filter((name) => name !== "");
  const asked = Math.min(limit ?? MARKS_MAX, MARKS_MAX);
  const reply = yield { view: { ...view, columns: names, limit: undefined, chart: undefined }, limit: asked };
  const isAll = !reply.truncated || (limit !== undefined && reply.rows.length >= limit);
  return {
    spec: spec.kind === "histogram" || spec.y !== "" ? spec : { ...spec, kind: "histogram" },
    columns: reply.columns.map((column) => ({ ...column, unit: unitOf(columns, column.name) })),
    rows: reply.rows,
    extent: matching(
      extentTitle({
        ...extentOf(reply, "row"),
        isPartial: !isAll || limit !== undefined,
        ...(limit !== undefined && { total: isNarrowed(view) ? undefined : rows }),
      }),
      view,
    ),
    notes: [],
    marks: valuesOf(spec),
  };
}

/** `All 35 matching rows` where rows are left out by their values. */
const matching = (extent: string, view: View): string =>
  isNarrowed(view) ? extent.replace(/ rows?\b/, (rows) => ` matching${rows}`) : extent;

const unitOf = (columns: readonly Column[], name: string) => columns.find((column) => column.name === name)?.unit;

const extentOf = ({ rows, truncated, total }: ChartReply, noun: Extent["noun"]): Extent => ({
  shown: rows.length,
  total: truncated ? total : rows.length,
  isPartial: truncated,
  noun,
});

const valuesOf = ({ kind, x, y }: ChartSpec): MarkRows => ({
  by: "values",
  columns: kind === "scatter" || kind === "map" ? [x, y] : [x],
});

/** A column of a grouped view in words, unless its author has named it: `Average of delay`, `date, per month`. */
function resultTitle({ group_by, aggregates }: View, name: string): string | undefined {
  const group = group_by.map(namedGroup).find(({ as }) => as === name);
  if (group) return groupTitle(group);
  const aggregate = aggregates.find(({ as }) => as === name);
  return aggregate && aggregateTitle(aggregate);
}

function groupTitle({ column, bucket, width, as }: NamedGroup): string | undefined {
  if (!isAutomatic(as, column, bucket ?? "from")) return undefined;
  if (width !== undefined) return `${column}, in steps of ${width}`;
  if (bucket === undefined) return undefined;
  return isSpan(bucket) ? `${column}, per ${bucket}` : `${column}, ${BUCKETS[bucket].english.replace(/ \(.*$/, "")}`;
}

function aggregateTitle(aggregate: ViewAggregate): string | undefined {
  const { function: name, column, as, filters = [] } = aggregate;
  if (column === undefined || filters.length > 0 || !isAutomatic(as, name, column)) return undefined;
  const words = functionText(aggregate);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Whether an alias is the one that the explorer gives, perhaps with a number. */
function isAutomatic(alias: string, name: string, column: string): boolean {
  const given = aliasFor(name, column, []);
  return alias === given || (alias.startsWith(`${given}_`) && /^\d+$/.test(alias.slice(given.length + 1)));
}
