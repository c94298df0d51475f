import { LRUCache } from "lru-cache";
import { processWide } from "@/lib/kernel/process-wide";
import { type ReadRecipe, readRecipe } from "./read-recipe";

/**
 * Maximum total characters of the documents whose recipes are cached. A recipe takes about ten times as much memory.
 */
const CHARACTERS_MAX = 2 ** 20;

const kept = () =>
  processWide(
    "stored-recipes",
    () => new LRUCache<string, ReadRecipe>({ maxSize: CHARACTERS_MAX, sizeCalculation: (_, text) => text.length + 1 }),
  );

/**
 * The recipe of a stored document, cached for repeated reads, such as those of pages: parsing takes milliseconds. The
 * result is frozen, since it is shared by all callers. Throws like `readRecipe`.
 */
export function storedRecipe(document: string): ReadRecipe {
  const known = kept().get(document);
  if (known) return known;
  const read = frozen(readRecipe(document));
  kept().set(document, read);
  return read;
}

function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}
