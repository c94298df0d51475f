import { isInstant, isNameLike } from "@/components/values/value-text";
import type { BucketName } from "@/lib/engine/types/buckets";
import { isSpan } from "@/lib/engine/types/spans";
import type { ChartColumn } from "./chart-spec";
import { columnTitle } from "./chart-text";
import { type Axis, FONT, round, TICK_ROOM, TITLE_ROOM } from "./drawing";
import type { Measure } from "./measure";
import { partText } from "./part-text";
import { type PositionScale, positionScale, type Span } from "./position-scale";
import { textWidth } from "./text-size";
import { shortNumber, tickTexts, timeContext } from "./tick-text";

export interface Size {
  width: number;
  height: number;
}

/** A plot with two continuous axes around it. */
export interface Frame {
  plot: { left: number; top: number; width: number; height: number };
  x: PositionScale;
  y: PositionScale;
  axes: Axis[];
}

export interface AxisColumn {
  title: string;
  /** Whether its digits are not a quantity, so that only whole numbers are labelled. */
  isName: boolean;
  /** The part of the calendar that its numbers stand for. */
  part?: BucketName | undefined;
}

interface Ends {
  column: AxisColumn;
  measure: Measure;
  domain: Span;
  nice: boolean;
  log?: boolean | undefined;
}

const RIGHT = 16;
const TICK_GAP_X = 90;
const TICK_GAP_Y = 46;

/** Room for the widest label on the left, then the scales in the remaining space. */
export function frameOf(size: Size, xEnds: Ends, yEnds: Ends): Frame {
  const top = TITLE_ROOM + 8;
  const height = size.height - top - TICK_ROOM - TITLE_ROOM;
  const y = positionScale(yEnds.measure, yEnds.domain, [top + height, top], yEnds);
  const yTicks = y.ticks(Math.max(2, Math.floor(height / TICK_GAP_Y)));
  const yTexts = yEnds.log ? yTicks.map(shortNumber) : axisTexts(yTicks, yEnds.measure, yEnds.column);
  const left = Math.ceil(Math.max(...yTexts.map((text) => textWidth(text, FONT)), 8)) + 10;
  const width = Math.max(40, size.width - left - RIGHT);
  const x = positionScale(xEnds.measure, xEnds.domain, [left, left + width], xEnds);
  const plot = { left, top, width, height };
  const yAxis: Axis = { side: "left", title: yEnds.column.title, ticks: placed(yTicks, yTexts, y), grid: true };
  return { plot, x, y, axes: [xAxis(x, xEnds, width), yAxis] };
}

function xAxis(x: PositionScale, { measure, column }: Ends, width: number): Axis {
  const ticks = fittingTicks(x, measure, column, width);
  const context = measure === "time" ? timeContext(ticks) : "";
  return {
    side: "bottom",
    title: context ? `${column.title}, ${context}` : column.title,
    ticks: placed(ticks, axisTexts(ticks, measure, column), x),
    grid: false,
  };
}

/** As many ticks as their labels have room side by side. */
function fittingTicks(x: PositionScale, measure: Measure, column: AxisColumn, width: number): number[] {
  for (let count = Math.max(2, Math.floor(width / TICK_GAP_X)) + 1; count > 1; count--) {
    const ticks = x.ticks(count).filter((tick) => !column.isName || Number.isInteger(tick));
    const widest = Math.max(...axisTexts(ticks, measure, column).map((text) => textWidth(text, FONT)), 0);
    if (ticks.length <= 1 || (widest + 14) * ticks.length <= width + widest) return ticks;
  }
  return x.ticks(1).slice(0, 1);
}

const axisTexts = (ticks: readonly number[], measure: Measure, { isName, part }: AxisColumn): string[] => {
  const texts = tickTexts(ticks, measure, isName);
  return ticks.map((tick, at) => partText(tick, part, "short") ?? texts[at] ?? "");
};

const placed = (ticks: readonly number[], texts: readonly string[], scale: PositionScale): Axis["ticks"] =>
  ticks.map((tick, index) => ({ at: round(scale.at(tick)), text: texts[index] ?? "" }));

/** The label of an axis over a column. Instants are in UTC, as everywhere in the service. */
export function axisColumn(column: ChartColumn): AxisColumn {
  const title = columnTitle(column);
  const part = column.span !== undefined && !isSpan(column.span) ? column.span : undefined;
  return {
    title: isInstant(column.type) && column.axisTitle === undefined ? `${title} (UTC)` : title,
    isName: part !== undefined || isNameLike(column.name),
    part,
  };
}
