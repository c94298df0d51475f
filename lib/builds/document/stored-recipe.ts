import { processCache } from "@/lib/kernel/cache";
import { type ReadRecipe, readRecipe } from "./read-recipe";

/**
 * Maximum total characters of the documents whose recipes are cached. A recipe takes about ten times as much memory.
 */
const CHARACTERS_MAX = 2 ** 20;

const cached = () =>
  processCache<ReadRecipe>("recipes", { capacity: CHARACTERS_MAX, sizeOf: (_, text) => text.length + 1 });

/**
 * The recipe of a stored document, cached for repeated reads, such as those of pages: parsing takes milliseconds. The
 * result is frozen, since it is shared by all callers. Throws like `readRecipe`.
 */
export function storedRecipe(document: string): ReadRecipe {
  return cached().find(document) ?? cached().store(document, frozen(readRecipe(document)));
}

function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}
