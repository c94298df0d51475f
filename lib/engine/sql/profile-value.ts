import type { ProfileForm } from "@/lib/engine/types/column-type";
import { type EncodedColumn, valueJson } from "./encode";

const TEXT_SHOWN_MAX = 200;

/** A column with what its type allows in a profile. */
export interface ProfiledColumn extends EncodedColumn {
  isFloat: boolean;
  form: ProfileForm;
}

/**
 * The value's JSON text; NULL for null, and for text that is too long to show or that PostgreSQL's JSON cannot hold.
 */
export function valueSql(column: ProfiledColumn, ref: string): string {
  const json = valueJson({ ...column, ref }, { int64AsText: false });
  const isShown = column.form.isShown?.(ref, TEXT_SHOWN_MAX) ?? `${ref} IS NOT NULL`;
  return `CASE WHEN ${isShown} THEN ${json} END`;
}
