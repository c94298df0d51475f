import type { Prisma } from "@/prisma/generated/client";

/** The value of a JSON column. */
export type StoredJson = Prisma.InputJsonObject;
export type StoredJsonList = Prisma.InputJsonArray;

/** A value whose text PostgreSQL can store as JSON: NUL and lone surrogates, which it rejects, become U+FFFD. */
export function storable<T>(value: T): T {
  if (typeof value === "string") return value.toWellFormed().replaceAll("\0", "\ufffd") as T;
  if (Array.isArray(value)) return value.map(storable) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [storable(name), storable(item)])) as T;
}
