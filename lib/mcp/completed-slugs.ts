import type { Context } from "@/lib/access/context";
import { publicDatasetSlugs } from "@/lib/operations/reading/names";

/** Slugs of public datasets that contain the text typed so far; those that begin with it come first. */
export async function completedSlugs(begun: string, ctx: Context): Promise<string[]> {
  const typed = begun.toLowerCase();
  const found = (await publicDatasetSlugs(ctx)).filter((slug) => slug.includes(typed)).sort();
  return [...found.filter((slug) => slug.startsWith(typed)), ...found.filter((slug) => !slug.startsWith(typed))];
}
