import type { Prisma } from "@/prisma/generated/client";

/** The value of a JSON column. */
export type StoredJson = Prisma.InputJsonObject;
export type StoredJsonList = Prisma.InputJsonArray;
