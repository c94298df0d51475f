import { formatCount, formatPlural } from "@/lib/kernel/format";
import { type ChartInput, type Point, PointReader, seriesOf } from "./chart-data";
import { leftOutNotes, rowFacts } from "./chart-text";
import { shades, shadeTexts } from "./draw-cells";
import { type Drawing, type Mark, round } from "./drawing";
import type { Size } from "./frame";
import type { Land } from "./land";
import { type MapFrame, mapFrame } from "./map-frame";
import { withLooks } from "./point-looks";
import { extentOf, type Span } from "./position-scale";

const RADIUS = 3;

/** Places on a map, or how many rows lie in each cell of a grid over it. Land is drawn once its outlines are loaded. */
export function drawMap(input: ChartInput, size: Size, land: Land | undefined): Drawing {
  const reader = new PointReader(input);
  const parts = seriesOf(input);
  const series = [...parts.shown.map(({ rows }) => rows), parts.rest].map((rows) =>
    rows.flatMap((row) => readPlace(reader, row)),
  );
  const places = series.flat();
  const cell = { wide: input.x.width ?? 0, tall: input.y?.width ?? 0 };
  const frame = mapFrame(
    size,
    spanOf(
      places.map(({ x }) => x),
      cell.wide,
    ),
    spanOf(
      places.map(({ y }) => y),
      cell.tall,
    ),
  );
  const counts = input.spec.count === undefined ? undefined : cellCounts(input, places);
  const { missing, unplaced } = reader;
  const looks = withLooks(
    input,
    parts,
    counts
      ? cellMarks(places, counts, cell, frame, input)
      : series.flatMap((points, at) => points.map((place) => placeMark(place, at, frame, input))),
  );
  return {
    width: size.width,
    height: frame.height,
    plot: frame.plot,
    axes: frame.axes,
    lines: [],
    map: land?.paths(frame),
    ...looks,
    ...(counts && !input.colour && { shades: shadeTexts(counts) }),
    notes: [
      ...leftOutNotes({ rows: input.rows.length, missing, unplaced }),
      ...offTheMap(input.rows.length - places.length - missing - unplaced),
      ...looks.notes,
    ],
    x: frame.x,
    y: frame.y,
  };
}

function spanOf(values: readonly number[], by: number): Span {
  const [low, high] = extentOf(values) ?? [0, 0];
  return [low, high + by];
}

function readPlace(reader: PointReader, row: number): Point[] {
  const point = reader.read(row, "xy");
  return point && Math.abs(point.x) <= 180 && Math.abs(point.y) <= 90 ? [point] : [];
}

const offTheMap = (rows: number): string[] =>
  rows > 0 ? [`Not shown: ${formatPlural(rows, "place")} beyond 180° longitude or 90° latitude.`] : [];

const cellCounts = ({ rows, spec }: ChartInput, places: readonly Point[]): number[] =>
  places.map(({ row }) => Number(String(rows[row]?.[spec.count ?? ""] ?? 0)));

function placeMark({ x, y, row }: Point, series: number, frame: MapFrame, input: ChartInput): Mark {
  const [left, top] = [round(frame.x.at(x)), round(frame.y.at(y))];
  const hit = { x: left - RADIUS, y: top - RADIUS, width: 2 * RADIUS, height: 2 * RADIUS };
  return { shape: "point", series, x: left, y: top, width: 0, height: 0, hit, facts: placeFacts(input, row), row };
}

/** A longitude such as `-120.5°` means nothing without its latitude, so both come first, together. */
function placeFacts(input: ChartInput, row: number): Mark["facts"] {
  const [x, y, ...more] = rowFacts(input, row);
  return x && y ? [{ name: `${y.name}, ${x.name}`, value: `${y.value}, ${x.value}` }, ...more] : [];
}

interface CellSize {
  /** In degrees. */
  wide: number;
  tall: number;
}

function cellMarks(
  places: readonly Point[],
  counts: readonly number[],
  { wide, tall }: CellSize,
  { x, y }: MapFrame,
  input: ChartInput,
): Mark[] {
  const shadeOf = shades(counts);
  return places.map((place, at) => {
    const [left, right] = [x.at(place.x), x.at(place.x + wide)];
    const [bottom, top] = [y.at(place.y), y.at(place.y + tall)];
    const box = { x: round(left), y: round(top), width: round(right - left), height: round(bottom - top) };
    const count = counts[at] ?? 0;
    const facts = [...placeFacts(input, place.row), { name: "rows", value: formatCount(count) }];
    return { shape: "cell", series: 0, ...box, hit: box, shade: shadeOf(count), facts, row: place.row };
  });
}
