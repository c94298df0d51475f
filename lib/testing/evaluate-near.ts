import { isLosslessNumber } from "lossless-json";
import { indexOf, scaleOf } from "./evaluate-cells";
import type { Cell, Table } from "./evaluator";

/** Distances from a place: a part of the second implementation, by the chords between points of a sphere. */

export interface Near {
  latitude: string;
  longitude: string;
  /** Numbers, as in the body. */
  of: unknown[];
  km?: unknown;
  as?: string;
}

const RADIUS_KM = 6371.0088;

/** The table with the distance of each row as its last column. */
export function withDistances(table: Table, near: Near): Table {
  const [latitude, longitude] = [near.latitude, near.longitude].map((name) => indexOf(table, name));
  const degreesAt = (row: readonly Cell[], at = -1) => numberOf(row[at] ?? null, table.columns[at]?.type ?? "");
  const place = pointAt(...(near.of.map(plainNumber) as [number, number]));
  const rows = table.rows.map((row) => {
    const point = pointAt(degreesAt(row, latitude), degreesAt(row, longitude));
    return [...row, point && place ? distance(point, place) : null];
  });
  return { columns: [...table.columns, { name: near.as ?? "distance_km", type: "float64" }], rows };
}

/** Whether a row's distance, its last cell, is within the greatest one. */
export function isWithin(row: readonly Cell[], { km }: Near): boolean {
  const far = row.at(-1) ?? null;
  return km === undefined || (typeof far === "number" && far <= plainNumber(km));
}

const plainNumber = (value: unknown): number => Number(isLosslessNumber(value) ? value.value : value);

/** A numeric cell as a double. */
function numberOf(cell: Cell, type: string): number | undefined {
  if (cell === null) return undefined;
  return typeof cell === "bigint" ? Number(cell) / 10 ** scaleOf(type) : Number(cell);
}

type Point = readonly [number, number, number];

/** A place as a point of the unit sphere; undefined if it is not on the earth. */
function pointAt(latitude: number | undefined, longitude: number | undefined): Point | undefined {
  if (latitude === undefined || longitude === undefined) return undefined;
  const isPlace = latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 360;
  if (!isPlace) return undefined;
  const [y, x] = [latitude, longitude].map((degrees) => (degrees / 180) * Math.PI) as [number, number];
  return [Math.cos(y) * Math.cos(x), Math.cos(y) * Math.sin(x), Math.sin(y)];
}

function distance(a: Point, b: Point): number {
  const length = (sign: number) => Math.hypot(...a.map((part, at) => part + sign * (b[at] ?? 0)));
  return Math.round(2 * RADIUS_KM * Math.atan2(length(-1), length(1)) * 1000) / 1000;
}
