import { isLosslessNumber } from "lossless-json";
import { KM_MAX } from "@/lib/engine/grammar/bounds";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { LATITUDES, LONGITUDES } from "@/lib/engine/types/distances";
import { compareNumbers } from "@/lib/engine/types/exact-number";
import type { Condition } from "./conditions";
import { checkAlias } from "./groups";
import type { PlannedNear } from "./planned";
import { columnIndex, type Planning, reject } from "./planning";
import { distanceColumn } from "./result-columns";

type Near = NonNullable<QueryBody["near"]>;

/** The name of the distance of a body with `near`. */
export const distanceName = ({ as = "distance_km" }: Pick<Near, "as">): string => as;

/** The planning of what may name the distance as if it were a column; faults are collected in the same list. */
export function withDistance(planning: Planning, near: QueryBody["near"]): Planning {
  if (!near) return planning;
  const as = distanceName(near);
  const columns = [...planning.columns, distanceColumn({ as })];
  return { ...planning, columns, indexes: new Map([[as, planning.columns.length], ...planning.indexes]) };
}

/**
 * The distance of a body, and the condition that no row is farther; faults are collected in `planning`. Only `isColumn`
 * distances can be returned and ordered by.
 */
export function planNear(
  planning: Planning,
  { near, order_by }: QueryBody,
  isColumn: boolean,
): { near?: PlannedNear; within: Condition[] } {
  if (!near) return { within: [] };
  const as = distanceName(near);
  checkAlias(planning, as, "/near/as");
  const taken = isColumn && planning.columns.find(({ name }) => name.toLowerCase() === as.toLowerCase());
  if (taken) {
    const message = `The table has a column ${JSON.stringify(taken.name)}. Give the distance another name in as.`;
    reject(planning, { pointer: "/near/as", code: "alias_conflict", message });
  }
  const latitude = degreesIndex(planning, near.latitude, "/near/latitude");
  const longitude = degreesIndex(planning, near.longitude, "/near/longitude");
  const of = planPlace(planning, near.of.map(digitsOf));
  const km = planKm(planning, near, isColumn ? order_by.some(({ column }) => column === as) : undefined);
  if (latitude === undefined || longitude === undefined || !of) return { within: [] };
  const column = planning.columns.length;
  const within = km === undefined ? [] : [{ column, operator: "lte" as const, values: [km], cast: "DOUBLE" }];
  return { near: { latitude, longitude, of, as, ...(km !== undefined && { km }) }, within };
}

function degreesIndex(planning: Planning, name: string, pointer: string): number | undefined {
  const index = columnIndex(planning, name, pointer);
  const column = index === undefined ? undefined : planning.columns[index];
  if (!column || columnTypeOf(column).number) return index;
  const message = `near does not apply to ${JSON.stringify(column.name)}, which is of type ${column.type}.`;
  reject(planning, { pointer, code: "operator_not_applicable", message });
  return undefined;
}

function planPlace(planning: Planning, of: readonly string[]): [string, string] | undefined {
  const [latitude, longitude] = of;
  if (of.length !== 2 || latitude === undefined || longitude === undefined) {
    const message = "Send two numbers, latitude and longitude.";
    reject(planning, { pointer: "/near/of", code: "invalid_value", message });
    return undefined;
  }
  const read = [
    planDegrees(planning, latitude, LATITUDES, "/near/of/0"),
    planDegrees(planning, longitude, LONGITUDES, "/near/of/1"),
  ];
  return read.every((text) => text !== undefined) ? (read as [string, string]) : undefined;
}

function planDegrees(
  planning: Planning,
  digits: string,
  [least, most]: readonly [number, number],
  pointer: string,
): string | undefined {
  if (isBetween(digits, least, most)) return String(Number(digits));
  reject(planning, { pointer, code: "invalid_value", message: `Expected degrees from ${least} to ${most}.` });
  return undefined;
}

/** `isOrdered`: whether rows are ordered by the distance; undefined if it is no column. */
function planKm(planning: Planning, { km, as }: Near, isOrdered: boolean | undefined): string | undefined {
  const pointer = "/near/km";
  if (km === undefined) {
    const unless = isOrdered === undefined ? "" : `, unless order_by has ${JSON.stringify(distanceName({ as }))}`;
    const message = `near needs km, the greatest distance${unless}.`;
    if (!isOrdered) reject(planning, { pointer, code: "invalid_request", message });
    return undefined;
  }
  const digits = digitsOf(km);
  if (isBetween(digits, 0, KM_MAX) && compareNumbers(digits, "0") !== 0) return String(Number(digits));
  const message = `Expected kilometres: a number greater than 0, up to ${KM_MAX}.`;
  reject(planning, { pointer, code: "invalid_value", message });
  return undefined;
}

/** The digits of a number, or nothing: URLs may have other text in its place. */
const digitsOf = (number: unknown): string => (isLosslessNumber(number) ? number.value : "");

const isBetween = (digits: string, least: number, most: number): boolean =>
  (compareNumbers(digits, String(least)) ?? -1) >= 0 && (compareNumbers(digits, String(most)) ?? 1) <= 0;
