import { builtLineage, type PublicTables, tablesRead } from "@/lib/describe/lineage";
import { sha256Hex } from "@/lib/kernel/sha256";
import type { BuiltLineage } from "@/lib/schemas/lineage";
import { cachedUnder } from "@/lib/store/caches/cached-answers";
import { findBuilds } from "@/lib/store/releases/sealed-builds";
import { findPublicTable } from "@/lib/store/sources/source-tables";

/** The public tables among those that a recipe reads; from memory if they were read under this generation. */
export const publicTables = (document: string, under?: string): Promise<PublicTables> =>
  cachedUnder(`public tables ${sha256Hex(document)}`, under, () => readPublicTables(document));

async function readPublicTables(document: string): Promise<PublicTables> {
  const names = [...new Set(tablesRead(document))];
  const found = await Promise.all(names.map(async (name) => [name, await findPublicTable(name)] as const));
  return new Map(found.flatMap(([name, table]) => (table ? [[name, table] as const] : [])));
}

/** How versions of a dataset were built, by version; those that a publisher prepared are absent. */
export async function readLineages(
  versionIds: readonly string[],
  at: { base: string; withRecipe?: boolean },
): Promise<Map<string, BuiltLineage>> {
  const builds = await findBuilds(versionIds);
  const built = await Promise.all(
    builds.map(async (build) => {
      const tables = await publicTables(build.document);
      return [build.versionId, builtLineage(build, { ...at, tables })] as const;
    }),
  );
  return new Map(built);
}
