import { isSpan, spanEnd } from "@/lib/engine/types/spans";
import { type ChartInput, categoryText, keyOf, type Point, PointReader, seriesOf } from "./chart-data";
import type { ChartColumn } from "./chart-spec";
import { leftOutNotes } from "./chart-text";

export interface BarGroup {
  label: string;
  /** Position on a continuous axis; unused for categories. */
  x: number;
  bars: { series: number; point: Point }[];
}

export interface BarGroups {
  groups: BarGroup[];
  series: string[];
  /** How many groups and series there are, with those that are not shown. */
  all: { groups: number; series: number };
  notes: string[];
}

/** More bars than this are unreadable. */
const BARS_MAX = { across: 60, up: 120 } as const;
const GROUPS_MAX = { across: 20, up: 120 } as const;

/**
 * The bars of a result: one per row, or one per series within each category. Categories keep the result's order,
 * numbers and times have their own.
 */
export function barGroups(input: ChartInput, direction: "across" | "up"): BarGroups {
  const reader = new PointReader(input);
  const { shown, all } = seriesOf(input);
  const groups = new Map<string, BarGroup>();
  const bars = shown.flatMap(({ rows }, series) =>
    rows.map((row) => ({ series, point: reader.read(row, direction === "up" ? "xy" : "y") })),
  );
  const repeated = bars.filter(({ series, point }) => point && !addBar(series, point, input, groups)).length;
  const sorted = [...groups.values()].sort((a, b) => (direction === "up" ? a.x - b.x : firstRow(a) - firstRow(b)));
  const placed = withMissing(sorted, input.x);
  const most = Math.min(GROUPS_MAX[direction], Math.max(5, Math.floor(BARS_MAX[direction] / shown.length)));
  const notes = leftOutNotes({ rows: input.rows.length, missing: reader.missing, unplaced: reader.unplaced });
  if (repeated > 0)
    notes.push(`Of rows with the same ${input.x.name} and ${input.series?.name ?? "kind"}, only the first is shown.`);
  return {
    groups: (placed.length <= most ? placed : sorted).slice(0, most),
    series: input.series ? shown.map(({ label }) => label) : [],
    all: { groups: sorted.length, series: all },
    notes,
  };
}

/** Whether the bar was added: a group has at most one bar of each series. */
function addBar(
  series: number,
  point: Point,
  { x, rows, series: column }: ChartInput,
  groups: Map<string, BarGroup>,
): boolean {
  const value = rows[point.row]?.[x.name];
  const key = column ? keyOf(value) : String(point.row);
  const group = groups.get(key) ?? { label: categoryText(value, x) || "empty string", x: point.x, bars: [] };
  if (group.bars.some((bar) => bar.series === series)) return false;
  group.bars.push({ series, point });
  groups.set(key, group);
  return true;
}

/** Spans without rows keep their places, as gaps. */
function withMissing(groups: readonly BarGroup[], x: ChartColumn): BarGroup[] {
  const { span } = x;
  if (span === undefined || !isSpan(span)) return [...groups];
  return groups.flatMap((group, at) => {
    const next = groups[at + 1]?.x ?? group.x;
    const missing: BarGroup[] = [];
    for (
      let start = spanEnd(group.x, span);
      start < next && missing.length <= GROUPS_MAX.up;
      start = spanEnd(start, span)
    )
      missing.push({ label: categoryText(new Date(start).toISOString().slice(0, 10), x), x: start, bars: [] });
    return [group, ...missing];
  });
}

const firstRow = (group: BarGroup): number => Math.min(...group.bars.map(({ point }) => point.row));
