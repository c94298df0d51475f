import { stringify } from "yaml";

/** Keys that people read first; the others follow as they are stored. */
const FIRST = ["schema_version", "name", "slug", "title", "kind", "url", "step", "check", "column", "from", "type"];
const LAST = ["publish"];

/** A stored recipe as a person would write it: YAML, names before details. The document stays equal. */
export const recipeText = (recipe: unknown): string =>
  stringify(recipe, {
    lineWidth: 110,
    sortMapEntries: (a, b) => rankOf(a.key) - rankOf(b.key),
  });

function rankOf(key: unknown): number {
  const name = String((key as { value?: unknown }).value ?? key);
  if (LAST.includes(name)) return FIRST.length + 1;
  return FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length;
}
