import type { Prisma } from "@/prisma/generated/client";

/** What goes into a JSON column. */
export type StoredJson = Prisma.InputJsonObject;
export type StoredJsonList = Prisma.InputJsonArray;
