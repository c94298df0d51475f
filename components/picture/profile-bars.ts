import { columnTitle } from "@/components/chart/chart-text";
import { measureOf } from "@/components/chart/measure";
import { isRegular, measurementsOf, tableChart } from "@/components/chart/table-chart";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import type { Column } from "@/lib/schemas/column";
import type { Dataset } from "@/lib/schemas/dataset";

export interface ProfileBars {
  /** The column's name, with its unit. */
  label: string;
  /** 0 to 1, left to right. */
  heights: number[];
}

/**
 * The data of a dataset's picture: the distribution of the column that the first table's chart is about. That is what
 * its places are coloured by, what it measures, or the time or kinds over which its rows are counted.
 */
export function profileBars({ tables }: Pick<Dataset, "tables">): ProfileBars | undefined {
  for (const { columns, rows } of tables) {
    const chart = tableChart(columns, rows);
    const named = (name: string | undefined) => columns.filter((column) => column.name === name && !isFlat(column));
    const about = chart && (chart.kind === "map" ? chart.series : chart.y || chart.x);
    const bars = [...named(about), ...measurementsOf(columns, rows), ...named(chart?.x)].flatMap(
      (column) => barsOf(column, rows) ?? [],
    );
    if (bars[0]) return bars[0];
  }
  return undefined;
}

/** Bars of as many rows at all times say nothing. */
const isFlat = (column: Column): boolean => measureOf(column.type) === "time" && isRegular(column);

function barsOf(column: Column, rows: number): ProfileBars | undefined {
  const counts = column.profile.histogram?.counts ?? commonest(column, rows);
  const most = Math.max(...counts, 1);
  if (counts.length < 2) return undefined;
  return { label: columnTitle(column), heights: counts.map((count) => count / most) };
}

/** The numbers of the most frequent values. */
function commonest({ type, profile }: Column, rows: number): number[] {
  const { true_count: yes = 0, null_count: nulls, top_values: top = [] } = profile;
  return columnTypeOf({ type }).family === "boolean" ? [yes, rows - nulls - yes] : top.map(({ count }) => count);
}
