import { isNumeric, isTemporal, valueText } from "@/components/values/value-text";
import { parseColumnType } from "@/lib/engine/types/column-types";
import type { Profile } from "@/lib/schemas/column";

const NAME_PX = 8;
const DIGIT_PX = 7.6;
const ROOM_PX = 26;
const WIDTH_MIN = 112;
const WIDTH_MAX = 300;

interface Sized {
  name: string;
  type: string;
  profile?: Profile | undefined;
}

/** A column's initial width in pixels: enough for its name and most of its values, known before any row is loaded. */
export function columnWidth(column: Sized): number {
  const name = column.name.length * NAME_PX + 58;
  return Math.round(Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, name, valueLength(column) * DIGIT_PX + ROOM_PX)));
}

function valueLength({ name, type, profile }: Sized): number {
  if (profile?.length) return Math.min(profile.length.max, Number(profile.length.mean) * 1.6);
  if (isNumeric(type) || isTemporal(type)) {
    const ends = [profile?.min, profile?.max].map((value) => valueText(value, { name, type })?.length ?? 0);
    return Math.max(...ends);
  }
  return parseColumnType(type)?.view.width ?? 24;
}
