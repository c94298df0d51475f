import type { BinRow } from "@/components/chart/bin-edges";
import type { ChartRow } from "@/components/chart/chart-spec";
import { measureOf } from "@/components/chart/measure";
import type { Span } from "@/components/chart/position-scale";
import { groupFilters, leadsToRows } from "@/components/explorer/view/group-filters";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import type { Column } from "@/lib/schemas/column";
import { filterOn, sameValue } from "@/lib/view/filter-values";
import { namedGroup, type ViewFilter } from "@/lib/view/view";
import { type ChartData, columnNamed } from "./chart-question";
import { isWhole, roundStep } from "./chart-spans";
import { edgeValue } from "./edge-value";
import { binRowFilters } from "./plan-bins";

/** The filters that select the rows behind a mark; none where filters cannot express it. */
export function markFilters({ marks, rows }: ChartData, row: ChartRow, columns: readonly Column[]): ViewFilter[] {
  if (marks.by === "values") return marks.columns.map((name) => sameValue(name, row[name]));
  if (marks.by === "bins") {
    const column = columnNamed(columns, marks.column);
    return column ? binRowFilters(readBin(row, rows), column) : [];
  }
  if (!leadsToRows({ group_by: marks.groups }, row)) return [];
  return marks.groups.flatMap((group) => {
    const { column, as } = namedGroup(group);
    return groupFilters(group, row[as], columnNamed(columns, column)?.type ?? "string");
  });
}

function readBin(row: ChartRow, rows: readonly ChartRow[]): BinRow {
  const { outside } = row as { outside?: BinRow["outside"] };
  return { from: Number(String(row.from)), to: Number(String(row.to)), rows: 0, outside, isLast: rows.at(-1) === row };
}

/** The column of the table whose values an axis of a chart shows; undefined for computed ones. */
export function axisColumnOf({ marks }: ChartData, name: string, columns: readonly Column[]): Column | undefined {
  if (marks.by === "groups") {
    const group = marks.groups.map(namedGroup).find(({ as }) => as === name);
    return group && group.bucket !== "element" && leadsToRows({ group_by: [group] })
      ? columnNamed(columns, group.column)
      : undefined;
  }
  return columnNamed(columns, name);
}

/** The filter for a range of an axis, its ends rounded to the resolution of the drawing. */
export function rangeFilter(column: Column, [low, high]: Span): ViewFilter {
  const [from, to] = measureOf(column.type) === "time" ? timeEnds(column, low, high) : numberEnds(column, low, high);
  return filterOn(column, "between", [edgeValue(from, column), edgeValue(to, column)]);
}

const DAY_MS = 86_400_000;

/** Days where the range has several, else seconds. A range of instants ends before the day after its last. */
function timeEnds({ type }: Column, low: number, high: number): Span {
  const { isInstant } = columnTypeOf({ type }).view;
  if (isInstant && high - low < 4 * DAY_MS) return [Math.floor(low / 1000) * 1000, Math.ceil(high / 1000) * 1000];
  const [from, to] = [Math.floor(low / DAY_MS) * DAY_MS, Math.floor(high / DAY_MS) * DAY_MS];
  return isInstant ? [from, to + DAY_MS - 1000] : [from, to];
}

function numberEnds(column: Column, low: number, high: number): Span {
  if (isWhole(column)) return [Math.ceil(low), Math.max(Math.ceil(low), Math.floor(high))];
  const step = Number(roundStep((high - low) / 500, false) ?? 0);
  if (step === 0) return [low, high];
  const rounded = (value: number) => Number((Math.round(value / step) * step).toPrecision(12));
  return [rounded(low), rounded(high)];
}
