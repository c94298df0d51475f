import type { ChartSpec } from "@/components/chart/chart-spec";
import { measureOf } from "@/components/chart/measure";
import { formatCount } from "@/lib/kernel/format";
import type { Column } from "@/lib/schemas/column";
import { enteredNumber, filterOn } from "@/lib/view/filter-values";
import { namedGroup, type ViewFilter, type ViewGroup } from "@/lib/view/view";
import { averageOf, coreOf, type Ends, finiteFilters, narrowedText, type ViewEnds } from "./chart-ends";
import {
  type ChartData,
  type ChartPlan,
  type ChartReply,
  type ChartSubject,
  columnNamed,
  MARKS_MAX,
  rowsOf,
} from "./chart-question";
import { isWhole, roundStep, spanGroup } from "./chart-spans";
import { edgeValue } from "./edge-value";

/** Cells along each axis; together they stay below the most marks of a chart. */
const CELLS = { x: 60, y: 36 } as const;
/** The most cells along an axis of a map. */
const MAP_CELLS = 400;

/**
 * A scatter plot or map of more points than can be told apart: how many rows lie in each cell of a grid, or, where a
 * number colours them, its average in each cell.
 */
export function* cellsPlan(subject: ChartSubject, spec: ChartSpec, ends: ViewEnds): ChartPlan<ChartData> {
  const axes = axesOf(subject, spec, ends);
  const rows = rowsOf(subject.view);
  const series = columnNamed(subject.columns, spec.series);
  const colour = series && measureOf(series.type) === "number" ? series : undefined;
  const reply = yield {
    view: {
      ...rows,
      filters: [...rows.filters, ...axes.flatMap(({ filters }) => filters)],
      group_by: axes.map(({ group }) => group),
      aggregates: [{ function: "count", as: COUNT }, ...(colour ? [averageOf(colour, VALUE)] : [])],
      order_by: [{ column: COUNT, direction: "desc" }],
    },
    limit: MARKS_MAX,
    total: true,
  };
  const value = colour && `average ${colour.name}`;
  const how = value === undefined ? "counted in cells" : `${value} in cells`;
  return {
    spec: { ...spec, count: COUNT, series: value, size: undefined },
    columns: reply.columns.map((column) => {
      if (column.name === VALUE && value !== undefined)
        return { ...column, name: value, title: `Average of ${colour?.name}`, unit: colour?.unit };
      const axis = axes.find(({ column: { name } }) => name === column.name);
      if (!axis) return column;
      const { unit } = axis.column;
      return { ...column, unit, span: namedGroup(axis.group).bucket, width: axis.width };
    }),
    rows:
      value === undefined ? reply.rows : reply.rows.map(({ [VALUE]: number, ...row }) => ({ ...row, [value]: number })),
    extent: `All ${formatCount(ends.rows)} ${narrowedText(ends.rows, subject.view)}, ${how}${partOf(reply)}`,
    notes: [
      ...axes.flatMap(({ note }) => note ?? []),
      ...(spec.log ? ["The log scale is not applied to cells."] : []),
      ...(spec.series === undefined || colour
        ? []
        : [`Not applied because there are too many points to draw one by one: the colours of ${spec.series}.`]),
      ...(spec.size === undefined
        ? []
        : [`Not applied because there are too many points to draw one by one: the sizes of ${spec.size}.`]),
    ],
    marks: { by: "groups", groups: axes.map(({ group }) => group) },
  };
}

/** Which cells are drawn, if not all. */
const partOf = ({ rows, truncated, total = rows.length }: ChartReply): string =>
  truncated ? `; the fullest ${formatCount(rows.length)} of ${formatCount(total)} cells` : "";

/** The name of the average in the query, where names cannot contain spaces. */
const VALUE = "cell_value";
const COUNT = "rows_in_cell";

interface CellAxis {
  column: Column;
  group: ViewGroup;
  width?: number | undefined;
  filters: ViewFilter[];
  note?: string;
}

function axesOf({ columns }: ChartSubject, { kind, x, y }: ChartSpec, ends: ViewEnds): CellAxis[] {
  const own = [x, y].flatMap((name) => columnNamed(columns, name) ?? []);
  if (kind !== "map") return own.flatMap((column, at) => axisOf(column, ends, at === 0 ? CELLS.x : CELLS.y) ?? []);
  const width = squareWidth(
    own.flatMap(({ name }) => ends.columns.get(name) ?? []),
    ends.rows,
    own.some(isWhole),
  );
  return own.map((column) => ({
    column,
    group: width === undefined ? column.name : { column: column.name, width: enteredNumber(width) },
    width: width === undefined ? undefined : Number(width),
    filters: finiteFilters(column),
  }));
}

/** Rows outside the 1st to the 99th percentile of one of two columns. */
const OUTSIDE = 0.04;

/**
 * The width of a map's square cells: as small as most rows have room for, so that a few remote places do not make them
 * large, but never so many cells that some could not be drawn.
 */
function squareWidth(axes: readonly Ends[], rows: number, whole: boolean): string | undefined {
  const cells = (width: number, length: (ends: Ends) => number) =>
    axes.reduce((count, ends) => count * (Math.floor(length(ends) / width) + 2), 1);
  const all = (ends: Ends) => ends.max - ends.min;
  const core = (ends: Ends) => ends.high - ends.low;
  let least = Math.max(...axes.map(all), 0) / MAP_CELLS;
  for (;;) {
    const width = roundStep(least, whole);
    const size = Number(width);
    if (width === undefined || Math.min(cells(size, all), cells(size, core) + rows * OUTSIDE) <= MARKS_MAX)
      return width;
    least = size * 1.01;
  }
}

/** Only the part of an axis that has room for cells. Values outside it are left out, and a note says so. */
function axisOf(column: Column | undefined, ends: ViewEnds, most: number): CellAxis | undefined {
  const own = column && ends.columns.get(column.name);
  if (!column || !own) return undefined;
  const [min, max] = measureOf(column.type) === "number" ? coreOf(own) : [own.min, own.max];
  const drawn: Ends = { min, max, low: min, high: max };
  const group = spanGroup(column, drawn, most);
  const { width } = namedGroup(group);
  const [low, high] = [edgeValue(min, column), edgeValue(max, column)];
  const isCut = min > own.min || max < own.max;
  return {
    column,
    group,
    width: width && Number(width),
    filters: [filterOn(column, "between", [low, high])],
    ...(isCut && { note: `Values of ${column.name} below ${low} or above ${high} are not shown.` }),
  };
}
