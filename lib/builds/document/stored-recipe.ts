import { LRUCache } from "lru-cache";
import { processWide } from "@/lib/kernel/process-wide";
import { type ReadRecipe, readRecipe } from "./read-recipe";

/** Of the documents whose recipes are kept; a recipe takes about ten times as much. */
const CHARACTERS_MAX = 2 ** 20;

const kept = () =>
  processWide(
    "stored-recipes",
    () => new LRUCache<string, ReadRecipe>({ maxSize: CHARACTERS_MAX, sizeCalculation: (_, text) => text.length + 1 }),
  );

/**
 * What a stored document says, for whoever looks at it again and again, as pages do: reading one takes milliseconds.
 * Nothing of it can be changed, since everybody gets the same. Throws like `readRecipe`.
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
