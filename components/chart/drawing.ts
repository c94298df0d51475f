/** Everything a chart's picture holds, in pixels: what draws it decides nothing. */
export interface Drawing {
  width: number;
  height: number;
  plot: { left: number; top: number; width: number; height: number };
  axes: Axis[];
  /** One path a line, in the order of the series. */
  lines: { series: number; path: string }[];
  marks: Mark[];
  legend: string[];
  notes: string[];
}

export interface Axis {
  side: "bottom" | "left";
  title: string;
  ticks: { at: number; text: string }[];
  /** Lines across the plot at the ticks. */
  grid: boolean;
  /** The line that marks grow from, where there is one. */
  base?: number | undefined;
}

export interface Fact {
  name: string;
  value: string;
}

/** One thing that stands for one row, or for one bin. */
export interface Mark {
  shape: "bar" | "point" | "vertex";
  series: number;
  /** A bar's rectangle; a point's centre without extent. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** Where a pointer finds it: the whole height or width of the plot for bars. */
  hit: { x: number; y: number; width: number; height: number };
  /** Its values in words, exactly: the first names it. */
  facts: Fact[];
  /** Which row of the result it stands for; absent for a bin. */
  row?: number;
  /** A short value beside it. */
  value?: { x: number; y: number; text: string; inside: boolean };
}

/** Of everything written in a chart, in pixels. */
export const FONT = 12;
export const TICK_ROOM = 22;
export const TITLE_ROOM = 20;

export const round = (value: number): number => Math.round(value * 100) / 100;
