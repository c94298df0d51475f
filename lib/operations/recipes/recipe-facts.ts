import type { CheckedRecipe } from "@/lib/builds/check-recipe";
import { fail } from "@/lib/kernel/errors";
import { hostOf } from "@/lib/operations/runs/estimate";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import { isReadableByAll } from "@/lib/store/sources/source-tables";

/** A source as shown to a person who decides on a run. */
export interface SourceFacts {
  name: string;
  title: string | null;
  kind: string;
  host: string | null;
  /** The URL, package or table that is read. */
  reads: string;
  credential: string | null;
  license: string | null;
}

/** The sources of a recipe in the document's order. */
export const sourceFacts = ({ recipe }: CheckedRecipe): SourceFacts[] =>
  recipe.sources.map((source) => ({
    name: source.name,
    title: source.title ?? null,
    kind: source.kind,
    host: hostOf(source),
    reads: readsOf(source),
    credential: (source.kind === "http" ? source.credential : undefined) ?? null,
    license: source.license ?? null,
  }));

function readsOf(source: RecipeSource): string {
  if (source.kind === "package") return source.package;
  if (source.kind === "upload") return source.upload;
  if (source.kind === "table") return source.table;
  const [first = "", ...others] = source.urls ?? [source.url ?? source.template?.url ?? ""];
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** Tables that the recipe reads and that are not public, each with its source. */
export async function privateInputs({ recipe }: CheckedRecipe): Promise<{ source: string; table: string }[]> {
  const tables = recipe.sources.filter((source) => source.kind === "table");
  const readable = await Promise.all(tables.map(({ table }) => isReadableByAll(table)));
  return tables.flatMap(({ name, table }, at) => (readable[at] ? [] : [{ source: name, table }]));
}

/** The document of a stored revision. Fails with not_found for a run whose revision is gone. */
export function requireRevision<T>(revision: T | undefined): T {
  if (revision === undefined) throw fail("not_found");
  return revision;
}
