import type { RecipeSource } from "@/lib/schemas/recipe-source";

/** The URLs that a recipe names for a source; none for a template, or for a source without URLs. */
export const addressesOf = (source: RecipeSource): string[] =>
  source.kind === "http" ? [source.url ?? [], source.urls ?? []].flat() : [];
