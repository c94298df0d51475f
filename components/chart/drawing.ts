import type { Fact } from "./chart-text";

import type { PositionScale } from "./position-scale";
import type { SizeLegend } from "./size-scale";

/** What a continuous colour stands for. */
export interface ColourLegend {
  title: string;
  /** From 0 at the smallest value to 1 at the largest. */
  ticks: { at: number; text: string }[];
}

/** Everything in a chart's picture, in pixels, so that the renderer decides nothing. */
export interface Drawing {
  width: number;
  height: number;
  plot: { left: number; top: number; width: number; height: number };
  axes: Axis[];
  /** One path per line, in the order of the series. */
  lines: LinePath[];
  /** The outlines below the marks of a map. */
  map?: { land: string; borders: string } | undefined;
  marks: Mark[];
  legend: string[];
  notes: string[];
  /** What the shades of cells stand for, from the lightest. */
  shades?: string[];
  /** What the continuous colours and the sizes of points stand for. */
  colours?: ColourLegend | undefined;
  sizes?: SizeLegend | undefined;
  /** The continuous axes, on which ranges can be selected; absent for an axis that is not continuous. */
  x?: PositionScale;
  y?: PositionScale;
}

export interface LinePath {
  series: number;
  path: string;
  /** Circles for incomplete spans, which the line does not lead to. */
  partial?: string | undefined;
}

export interface Axis {
  side: "bottom" | "left";
  title: string;
  ticks: { at: number; text: string }[];
  /** Lines across the plot at the ticks. */
  grid: boolean;
  /** The line that marks grow from, if there is one. */
  base?: number | undefined;
}

/** One mark for one row, or for one bin. */
export interface Mark {
  shape: "bar" | "point" | "vertex" | "cell";
  series: number;
  /** A bar's rectangle; a point's centre without extent. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** Where a pointer hits it: the full height or width of the plot for bars. */
  hit: { x: number; y: number; width: number; height: number };
  /** Its exact values as text; the first names it. */
  facts: Fact[];
  /** Index of its row in the result; absent for a bin. */
  row?: number;
  /** How dense a cell is, from 1 to 5. */
  shade?: number;
  /** Whether it stands for an incomplete span. */
  isPartial?: true;
  /** A colour of a continuous scale, in both themes, instead of its series' colour. */
  colour?: string | undefined;
  /** A point's radius, where its size shows a value. */
  radius?: number | undefined;
  /** A short value next to it. */
  value?: { x: number; y: number; text: string; inside: boolean };
}

/** Font size of all text in a chart, in pixels. */
export const FONT = 12;
export const TICK_ROOM = 22;
export const TITLE_ROOM = 20;

export const round = (value: number): number => Math.round(value * 100) / 100;
