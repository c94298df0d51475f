import type { RecipeSource } from "@/lib/schemas/recipe-source";

/** The addresses that a recipe names for a source; none for a template's, and for what is no address. */
export const addressesOf = (source: RecipeSource): string[] =>
  source.kind === "http" ? [source.url ?? [], source.urls ?? []].flat() : [];
