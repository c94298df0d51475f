import { parseStorageType, type StorageType } from "./storage-type";

/**
 * DuckDB's own storage and its dictionaries in Parquet take -0.0 and 0.0 for one value. These are the expressions that
 * find out whether a copy kept both.
 */

/** Whether values of a type, by DuckDB's name, may be or contain zeros of both signs. */
export function hasSignedZeros(storage: string): boolean {
  const type = parseStorageType(storage);
  return type !== undefined && containsFloats(type);
}

function containsFloats(type: StorageType): boolean {
  if (type.kind === "list") return containsFloats(type.item);
  if (type.kind === "map") return containsFloats(type.key) || containsFloats(type.value);
  if (type.kind === "struct") return type.fields.some((field) => containsFloats(field.type));
  return isFloat(type.name);
}

const isFloat = (storage: string): boolean => storage === "DOUBLE" || storage === "FLOAT";

/** SQL: whether the value is a negative zero, or a nested value contains one. Never null. */
export const negativeZeroSql = (ref: string, storage: string): string =>
  isFloat(storage)
    ? `coalesce(${ref} = 0 AND signbit(${ref}), false)`
    : String.raw`coalesce(regexp_matches(CAST(${ref} AS VARCHAR), '-0\.0([^0-9]|$)'), false)`;

/** SQL of an aggregate that differs if a zero has another sign in one of the rows. `position` numbers the rows. */
export function zeroSignsSql(ref: string, storage: string, position: string): string {
  const hash = isFloat(storage) ? `hash(${position})` : `hash(${position}, CAST(${ref} AS VARCHAR))`;
  return `coalesce(bit_xor(CASE WHEN ${negativeZeroSql(ref, storage)} THEN ${hash} END), 0)`;
}
