import { scaleLinear } from "d3-scale";
import type { ChartInput } from "./chart-data";
import { columnTitle } from "./chart-text";
import type { ColourLegend } from "./drawing";
import { axisColumn } from "./frame";
import { measureOf, positionOf } from "./measure";
import { extentOf, positionScale } from "./position-scale";
import { tickTexts } from "./tick-text";

/**
 * The colours of a continuous scale in each theme, from the smallest value to the largest. The largest stand out most:
 * they are the darkest on a light page and the lightest on a dark one.
 */
export const RAMP = {
  light: ["#bd7a12", "#cc4f33", "#a3235f", "#671a70", "#2c0f57"],
  dark: ["#7f66c9", "#c95fb0", "#f0766f", "#f9a94f", "#fbee8a"],
} as const;

/** More than can be told apart, and few enough that crowded points of one colour can be drawn as one path. */
export const RAMP_STEPS = 48;

export interface ColourScale {
  legend: ColourLegend;
  /** The position of a row on the scale, from 0 to 1; undefined if it has no value there. */
  at(row: number): number | undefined;
}

/** The scale of the column that colours points; undefined if there is none, or if no row has a value. */
export function colourScale({ colour: column, rows }: ChartInput): ColourScale | undefined {
  if (!column) return undefined;
  const measure = measureOf(column.type);
  const values = rows.map((row) => positionOf(row[column.name], measure) ?? Number.NaN);
  const ends = extentOf(values.filter(Number.isFinite));
  if (!ends) return undefined;
  const scale = positionScale(measure, ends, [0, 1], { nice: true });
  const ticks = scale.ticks(4);
  const texts = tickTexts(ticks, measure, axisColumn(column).isName);
  return {
    legend: {
      title: columnTitle(column),
      ticks: ticks.map((tick, index) => ({ at: scale.at(tick), text: texts[index] ?? "" })),
    },
    at: (row) => {
      const value = values[row];
      return value === undefined || !Number.isFinite(value) ? undefined : scale.at(value);
    },
  };
}

const rampOf = (colours: readonly string[]) =>
  scaleLinear<string>()
    .domain(colours.map((_, at) => at / (colours.length - 1)))
    .range(colours);

const RAMPS = [rampOf(RAMP.light), rampOf(RAMP.dark)] as const;

/** The colour at a position of a scale, from 0 to 1, in both themes. */
export function rampColour(at: number): string {
  const step = Math.min(RAMP_STEPS - 1, Math.floor(Math.max(0, at) * RAMP_STEPS)) / (RAMP_STEPS - 1);
  return `light-dark(${RAMPS[0](step)}, ${RAMPS[1](step)})`;
}
