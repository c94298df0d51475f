import { database } from "@/lib/store/postgres/database";
import type { Prisma } from "@/prisma/generated/client";

/** The plan and the result of the last run that a recipe sealed; undefined if there is none. */
export async function findLastInputs(
  datasetId: string,
  recipeDigest: string,
): Promise<{ plan: Prisma.JsonValue; sample: Prisma.JsonValue } | undefined> {
  const { prisma } = await database();
  const found = await prisma.run.findFirst({
    where: { datasetId, state: "sealed", kind: { not: "replay" } },
    orderBy: { finishedAt: "desc" },
    select: { plan: true, sample: true, recipeDigest: true },
  });
  return found?.recipeDigest === recipeDigest ? found : undefined;
}
