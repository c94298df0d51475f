import { type Drawing, FONT, round, TICK_ROOM } from "./drawing";
import type { Size } from "./frame";
import type { PositionScale, Span } from "./position-scale";
import { textWidth } from "./text-size";

/** A map's place in a picture. Both axes are projected independently, so that a rectangle is a range of both. */
export interface MapFrame extends Pick<Drawing, "plot" | "axes"> {
  x: PositionScale;
  y: PositionScale;
  height: number;
  /** For drawing land in the same projection. */
  projection: { isMercator: boolean; scale: number; translate: readonly [x: number, y: number] };
}

/**
 * Heights of a map on a phone, in a column and on a page. Their widths equal those drawn without JavaScript, so that
 * nothing moves once the browser has measured its own.
 */
const HEIGHTS = { region: [300, 380, 480], world: [120, 220, 440] } as const;
const WIDTHS = [432, 672] as const;
const TOP = 8;
const RIGHT = 12;
/** Space around the outermost places, as a share of their span, and at least this many degrees. */
const MARGIN = { share: 0.06, degrees: 0.05 } as const;
/** Beyond these, the regional projection would distort the map. */
const REGION = { longitudes: 190, latitude: 78 } as const;
const TICK_GAP = 80;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;

/** Mercator for regions, where it preserves angles; plain degrees for the world. */
const PROJECTIONS = {
  region: {
    up: (latitude: number) => Math.log(Math.tan(Math.PI / 4 + radians(latitude) / 2)),
    down: (up: number) => degrees(2 * Math.atan(Math.exp(up)) - Math.PI / 2),
    most: 85,
  },
  world: { up: radians, down: degrees, most: 90 },
} as const;

/** Room for places of these longitudes and latitudes at a width. */
export function mapFrame({ width }: Size, longitudes: Span, latitudes: Span): MapFrame {
  const isMercator =
    longitudes[1] - longitudes[0] < REGION.longitudes && Math.max(...latitudes.map(Math.abs)) < REGION.latitude;
  const kind = isMercator ? "region" : "world";
  const { up, down, most } = PROJECTIONS[kind];
  const [west, east] = padded(longitudes, 180);
  const [south, north] = padded(latitudes, most);
  const left = Math.ceil(textWidth("66.66° N", FONT)) + 8;
  const room = width - left - RIGHT;
  const tall = up(north) - up(south);
  const height = HEIGHTS[kind][WIDTHS.filter((least) => width >= least).length] ?? HEIGHTS[kind][0];
  const scale = Math.min(room / radians(east - west), height / tall);
  const middle = [left + room / 2, TOP + height / 2] as const;
  const centre = [(west + east) / 2, (up(south) + up(north)) / 2] as const;
  const plot = { left, top: TOP, width: room, height: round(height) };
  const x = axisScale({
    at: (longitude) => middle[0] + radians(longitude - centre[0]) * scale,
    value: (position) => clamped(centre[0] + degrees((position - middle[0]) / scale), 180),
    ends: [plot.left, plot.left + plot.width],
  });
  const y = axisScale({
    at: (latitude) => middle[1] - (up(clamped(latitude, most)) - centre[1]) * scale,
    value: (position) => clamped(down(centre[1] - (position - middle[1]) / scale), most),
    ends: [plot.top + plot.height, plot.top],
  });
  return {
    plot,
    x,
    y,
    height: plot.top + plot.height + TICK_ROOM + 4,
    axes: [
      { side: "bottom", title: "", grid: true, ticks: ticksOf(x, room, ["W", "E"]) },
      { side: "left", title: "", grid: true, ticks: ticksOf(y, height, ["S", "N"]) },
    ],
    projection: {
      isMercator,
      scale,
      translate: [middle[0] - radians(centre[0]) * scale, middle[1] + centre[1] * scale],
    },
  };
}

function padded([low, high]: Span, most: number): Span {
  const pad = Math.max((high - low) * MARGIN.share, MARGIN.degrees);
  return [clamped(low - pad, most), clamped(high + pad, most)];
}

const clamped = (value: number, most: number): number => Math.max(-most, Math.min(most, value));

interface Axis {
  at: (value: number) => number;
  value: (position: number) => number;
  ends: Span;
}

function axisScale({ at, value, ends }: Axis): PositionScale {
  const domain = [value(ends[0]), value(ends[1])] as const;
  return { domain, at, value, ticks: (count) => roundDegrees(domain, count) };
}

const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 45, 90, 180];

function roundDegrees([low, high]: Span, count: number): number[] {
  const step = STEPS.find((size) => (high - low) / size <= count) ?? 180;
  const first = Math.ceil(low / step - 1e-9);
  const most = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, most - first + 1) }, (_, at) => Number(((first + at) * step).toFixed(2)));
}

function ticksOf(scale: PositionScale, length: number, [minus, plus]: readonly [string, string]) {
  return scale.ticks(Math.max(2, Math.floor(length / TICK_GAP))).map((value) => ({
    at: round(scale.at(value)),
    text: value === 0 ? "0°" : `${Math.abs(value)}° ${value < 0 ? minus : plus}`,
  }));
}
