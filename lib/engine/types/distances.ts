/** The mean radius of the earth in kilometres. */
const RADIUS_KM = 6371.0088;

/** The degrees that are places. Longitudes of more than 180 are those of 360 less. */
export const LATITUDES = [-90, 90] as const;
export const LONGITUDES = [-180, 360] as const;

/** A place in degrees. */
export type Place = readonly [latitude: number, longitude: number];

/**
 * SQL of the distance between a place and columns of degrees, by haversines, in kilometres rounded to metres; null
 * where they are not a place. The haversine of the distance to the antipode (`far`) is what is missing to 1: next to
 * it, 1 − h has no digits left.
 */
export function distanceSql(latitude: string, longitude: string, [north, east]: Place): string {
  const [y, x] = [latitude, longitude].map((ref) => `CAST(${ref} AS DOUBLE)`);
  const [y0, x0] = [north, east].map((degrees) => `CAST(${degrees} AS DOUBLE)`);
  const squared = (sine: "sin" | "cos", degrees: string) => `pow(${sine}(radians(${degrees}) / 2), 2)`;
  const both = `cos(radians(${y0})) * cos(radians(${y}))`;
  const near = `${squared("sin", `${y} - ${y0}`)} + ${both} * ${squared("sin", `${x} - ${x0}`)}`;
  const far = `${squared("sin", `${y} + ${y0}`)} + ${both} * ${squared("cos", `${x} - ${x0}`)}`;
  const km = `${2 * RADIUS_KM} * atan2(sqrt(${near}), sqrt(${far}))`;
  const isPlace = `${y} BETWEEN ${LATITUDES.join(" AND ")} AND ${x} BETWEEN ${LONGITUDES.join(" AND ")}`;
  return `CASE WHEN ${isPlace} THEN round(${km} * 1000) / 1000 END`;
}

/** Bounds of degrees, both included. */
export type Span = readonly [least: number, most: number];

/**
 * Degrees that contain every place within a distance. Without `longitudes` where they contain a pole or cross ±180°.
 */
export function boxAround([latitude, longitude]: Place, km: number): { latitudes: Span; longitudes?: Span } {
  const radians = (km + ROUNDED_KM) / RADIUS_KM;
  const height = degreesOf(radians);
  const latitudes = outward([latitude - height, latitude + height]);
  if (latitudes[0] <= LATITUDES[0] || latitudes[1] >= LATITUDES[1]) return { latitudes };
  const width = degreesOf(Math.asin(Math.min(1, Math.sin(radians) / Math.cos((latitude * Math.PI) / 180))));
  const middle = longitude >= 180 ? longitude - 360 : longitude;
  const longitudes = outward([middle - width, middle + width]);
  return longitudes[0] < -180 || longitudes[1] >= 180 ? { latitudes } : { latitudes, longitudes };
}

/** Distances are rounded by half of this, or less. */
const ROUNDED_KM = 0.001;

const degreesOf = (radians: number): number => (radians * 180) / Math.PI;

const MICRODEGREES = 1e6;

/** The next microdegrees outside, beyond all errors of computation. */
const outward = ([least, most]: Span): Span => [
  (Math.floor(least * MICRODEGREES) - 1) / MICRODEGREES,
  (Math.ceil(most * MICRODEGREES) + 1) / MICRODEGREES,
];
