import { type BarGroup, barGroups } from "./bar-groups";
import type { ChartInput } from "./chart-data";
import { columnTitle, rowFacts } from "./chart-text";
import { type Drawing, FONT, type Mark, round, TICK_ROOM, TITLE_ROOM } from "./drawing";
import type { Size } from "./frame";
import { extentOf, type PositionScale, positionScale } from "./position-scale";
import { cutText, textWidth } from "./text-size";
import { shortNumber, tickTexts } from "./tick-text";

const BAR = { alone: 20, beside: 14 } as const;
const BETWEEN = 8;
const LABEL_SHARE = 0.36;
const VALUE_GAP = 6;
const TICK_GAP = 90;

/** Horizontal bars, one below the other, with the categories' names on the left. */
export function drawBarsAcross(input: ChartInput, size: Size): Drawing {
  const { groups, series, notes } = barGroups(input, "across");
  const thickness = series.length > 1 ? BAR.beside : BAR.alone;
  const tall = groups.map((group) => group.bars.length * thickness + BETWEEN);
  const top = TITLE_ROOM + 4;
  const height = tall.reduce((sum, part) => sum + part, 0);
  const labelRoom = Math.min(
    Math.max(...groups.map(({ label }) => textWidth(label, FONT)), 20),
    size.width * LABEL_SHARE,
  );
  const left = Math.ceil(labelRoom) + 10;
  const values = groups.flatMap(({ bars }) => bars.map(({ point }) => point.y));
  const valueRoom =
    Math.ceil(Math.max(...values.map((value) => textWidth(shortNumber(value), FONT)), 0)) + VALUE_GAP + 4;
  const width = Math.max(40, size.width - left - valueRoom);
  const scale = positionScale("number", withZero(values), [left, left + width], { nice: false });
  const plot = { left, top, width, height };
  const starts = tall.map((_, at) => top + tall.slice(0, at).reduce((sum, part) => sum + part, 0));
  const place = (group: BarGroup, at: number) =>
    group.bars.map((bar, index) => {
      const y = (starts[at] ?? top) + BETWEEN / 2 + index * thickness;
      const hit = {
        x: 0,
        y: y - (index === 0 ? BETWEEN / 2 : 0),
        width: size.width,
        height: thickness + (group.bars.length === 1 ? BETWEEN : 0),
      };
      return {
        ...acrossBar(bar.point.y, y, thickness - 2, scale),
        series: bar.series,
        hit,
        facts: rowFacts(input, bar.point.row),
        row: bar.point.row,
      } satisfies Mark;
    });
  return {
    width: size.width,
    height: top + height + TICK_ROOM + 4,
    plot,
    axes: [
      valueAxis(input, scale, width),
      {
        side: "left",
        title: "",
        grid: false,
        base: round(scale.at(0)),
        ticks: groups.map((group, at) => ({
          at: (starts[at] ?? 0) + (tall[at] ?? 0) / 2,
          text: cutText(group.label, FONT, labelRoom),
        })),
      },
    ],
    lines: [],
    marks: groups.flatMap(place),
    legend: series,
    notes,
  };
}

function acrossBar(
  value: number,
  y: number,
  height: number,
  scale: PositionScale,
): Pick<Mark, "shape" | "x" | "y" | "width" | "height" | "value"> {
  const [base, end] = [scale.at(0), scale.at(value)];
  const width = value === 0 ? 0 : Math.max(1, Math.abs(end - base));
  return {
    shape: "bar",
    x: round(Math.min(base, end)),
    y: round(y + 1),
    width: round(width),
    height,
    value: {
      x: round(Math.max(base, end) + VALUE_GAP),
      y: round(y + 1 + height / 2),
      text: shortNumber(value),
      inside: false,
    },
  };
}

function valueAxis(input: ChartInput, scale: PositionScale, width: number): Drawing["axes"][number] {
  const ticks = scale.ticks(Math.max(2, Math.floor(width / TICK_GAP)));
  const texts = tickTexts(ticks, "number");
  return {
    side: "bottom",
    title: input.y ? columnTitle(input.y) : "",
    grid: true,
    ticks: ticks.map((tick, at) => ({ at: round(scale.at(tick)), text: texts[at] ?? "" })),
  };
}

/** Bars begin at zero. */
export function withZero(values: readonly number[]): readonly [number, number] {
  const [low, high] = extentOf([0, ...values]) ?? [0, 1];
  return low < high ? [low, high] : [0, 1];
}
