import { isLosslessNumber } from "lossless-json";

const TEXT_MAX = 140;
const SCALARS_MAX = 4;

/** Stands for the rest of a list that was cut. */
const MORE = "…";

/** A reply cut to a readable length: long lists and strings are shortened, marked by `…`. Pure. */
export function cutJson(value: unknown): unknown {
  if (typeof value === "string") return value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}${MORE}` : value;
  if (typeof value !== "object" || value === null || isLosslessNumber(value)) return value;
  if (Array.isArray(value)) return cutList(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutJson(item)]));
}

function cutList(items: readonly unknown[]): unknown[] {
  const isNested = items.some((item) => typeof item === "object" && item !== null && !isLosslessNumber(item));
  const most = isNested ? 1 : SCALARS_MAX;
  const shown = items.slice(0, most).map(cutJson);
  return items.length > most ? [...shown, MORE] : shown;
}
