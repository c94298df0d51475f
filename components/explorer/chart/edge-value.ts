import { measureOf } from "@/components/chart/measure";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { withoutEnd } from "@/lib/kernel/trim-signs";
import type { Column } from "@/lib/schemas/column";

/** A position on a column's axis as its filters take it; whole numbers and days are rounded. */
export function edgeValue(position: number, { type }: Pick<Column, "type">): string {
  const measure = measureOf(type);
  if (measure === "time") {
    const iso = new Date(position).toISOString();
    return columnTypeOf({ type }).view.isInstant ? iso.replace(/\.000Z$/, "Z") : iso.slice(0, -14);
  }
  if (measure === "clock")
    return new Date(position)
      .toISOString()
      .slice(-13, -1)
      .replace(/\.000$/, "");
  if (columnTypeOf({ type }).profile.histogram === "whole") return BigInt(Math.round(position)).toString();
  return plainNumber(position);
}

/** Plain digits instead of an exponent where that is short. Filters accept both; plain digits are easier to read. */
const plainNumber = (value: number): string => {
  const text = String(value);
  return text.includes("e") && Math.abs(value) < 1e15 && Math.abs(value) > 1e-9
    ? withoutEnd(withoutEnd(value.toFixed(12), "0"), ".")
    : text;
};
