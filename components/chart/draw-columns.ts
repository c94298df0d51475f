import { scaleBand } from "d3-scale";
import { type BarGroup, barGroups } from "./bar-groups";
import { type ChartInput, isPartialSpan } from "./chart-data";
import type { ChartColumn } from "./chart-spec";
import { columnTitle, rowFacts } from "./chart-text";
import { withZero } from "./draw-bars";
import { type Axis, type Drawing, FONT, type Mark, round, TICK_ROOM, TITLE_ROOM } from "./drawing";
import { axisColumn, type Size } from "./frame";
import type { Measure } from "./measure";
import { partText } from "./part-text";
import { type PositionScale, positionScale } from "./position-scale";
import { textWidth } from "./text-size";
import { shortNumber, tickTexts } from "./tick-text";

const RIGHT = 8;
const TICK_GAP = 46;
const VALUES_MAX = 16;

/** Bars side by side over numbers or times, in order. */
export function drawColumns(input: ChartInput, size: Size): Drawing {
  const { groups, series, notes } = barGroups(input, "up");
  const top = TITLE_ROOM + 8;
  const height = size.height - top - TICK_ROOM - TITLE_ROOM;
  const values = groups.flatMap(({ bars }) => bars.map(({ point }) => point.y));
  const y = positionScale("number", withZero(values), [top + height, top], { nice: true });
  const ticks = y.ticks(Math.max(2, Math.floor(height / TICK_GAP)));
  const texts = tickTexts(ticks, "number");
  const left = Math.ceil(Math.max(...texts.map((text) => textWidth(text, FONT)), 8)) + 10;
  const plot = { left, top, width: Math.max(40, size.width - left - RIGHT), height };
  const band = scaleBand(
    groups.map((_, at) => at),
    [left, left + plot.width],
  ).padding(groups.length > 40 ? 0.1 : 0.2);
  const slot = scaleBand(series.length > 1 ? series.map((_, at) => at) : [0], [0, band.bandwidth()]);
  const place = (group: BarGroup, at: number) =>
    group.bars.map(({ series: kind, point }) => {
      const x = (band(at) ?? 0) + (slot(series.length > 1 ? kind : 0) ?? 0);
      return {
        ...columnBar(point.y, x, slot.bandwidth(), y),
        series: kind,
        hit: hitOf(x, slot.bandwidth(), band.step(), series.length > 1, plot),
        facts: rowFacts(input, point.row),
        row: point.row,
        ...(isPartialSpan(input.x, point.x) && { isPartial: true as const }),
      };
    });
  const marks = groups.flatMap(place);
  return {
    ...size,
    plot,
    axes: [
      bottomAxis(groups, input, band.bandwidth(), (at) => (band(at) ?? 0) + band.bandwidth() / 2, plot.width),
      {
        side: "left",
        title: input.y ? columnTitle(input.y) : "",
        grid: true,
        base: round(y.at(0)),
        ticks: ticks.map((tick, at) => ({ at: round(y.at(tick)), text: texts[at] ?? "" })),
      },
    ],
    lines: [],
    marks:
      marks.every((mark) => textWidth(mark.value?.text ?? "", FONT) < band.bandwidth()) && marks.length <= VALUES_MAX
        ? marks
        : marks.map(({ value, ...mark }) => mark),
    legend: series,
    notes,
  };
}

function hitOf(
  x: number,
  width: number,
  step: number,
  isBeside: boolean,
  { top, height }: Drawing["plot"],
): Mark["hit"] {
  return isBeside
    ? { x: round(x), y: top, width: round(width), height }
    : { x: round(x - (step - width) / 2), y: top, width: round(step), height };
}

function columnBar(
  value: number,
  x: number,
  width: number,
  scale: PositionScale,
): Pick<Mark, "shape" | "x" | "y" | "width" | "height" | "value"> {
  const [base, end] = [scale.at(0), scale.at(value)];
  return {
    shape: "bar",
    x: round(x),
    y: round(Math.min(base, end)),
    width: round(Math.max(0.5, width)),
    height: value === 0 ? 0 : round(Math.max(1, Math.abs(base - end))),
    value: {
      x: round(x + width / 2),
      y: round(Math.min(base, end) - VALUE_LIFT),
      text: shortNumber(value),
      inside: true,
    },
  };
}

const VALUE_LIFT = 7;

/** Every nth group is labelled, as space permits. */
function bottomAxis(
  groups: readonly BarGroup[],
  { x, xMeasure }: ChartInput,
  bandwidth: number,
  middle: (at: number) => number,
  width: number,
): Axis {
  const own = groupTexts(groups, x, xMeasure, width);
  const every = Math.max(1, Math.ceil(roomOf(own) / Math.max(width, 1)));
  const shown = groups.flatMap((_, at) => (at % every === 0 ? [{ at: round(middle(at)), text: own[at] ?? "" }] : []));
  return { side: "bottom", title: axisColumn(x).title, ticks: bandwidth > 0 ? shown : [], grid: false };
}

const roomOf = (texts: readonly string[]): number =>
  texts.length * (Math.max(...texts.map((text) => textWidth(text, FONT)), 1) + 10);

/** The names of months and weekdays are shortened if space is short. */
function groupTexts(groups: readonly BarGroup[], x: ChartColumn, measure: Measure, width: number): string[] {
  const { isName, part } = axisColumn(x);
  const labels = groups.map(({ label }) => label);
  if (part !== undefined && roomOf(labels) > width)
    return groups.map((group) => partText(group.x, part, "short") ?? group.label);
  if (measure === "time" || part !== undefined) return labels;
  return tickTexts(
    groups.map((group) => group.x),
    measure,
    isName || measure === "number",
  );
}
