import type { Lock } from "@/lib/builds/lock";
import { sha256Hex } from "@/lib/kernel/sha256";
import { canonicalJson } from "./canonical";

type Members = Record<string, unknown>;

/**
 * The digest that an approval refers to: the document's meaning and the lock, without notes, descriptions of sources
 * and the schedule. `tree` is a document's, as `readRecipe` returns it.
 */
export const recipeDigest = (tree: unknown, lock: Lock): string =>
  sha256Hex(canonicalJson({ meaning: meaningOf(tree), lock: { ...lock, made_from_run: undefined } }));

/** The document without members that neither change a row nor are published. */
export function meaningOf(tree: unknown): unknown {
  const { refresh: _, ...document } = tree as Members;
  return {
    ...document,
    sources: listOf(document.sources).map((source) => without(source, ["note", "title", "description"])),
    tables: listOf(document.tables).map((table) => ({
      ...without(table, ["note"]),
      steps: listOf(table.steps).map((step) => without(step, ["note"])),
      checks: listOf(table.checks).map((check) => without(check, ["note"])),
    })),
  };
}

const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value : []);

const without = (object: Members, keys: readonly string[]): Members =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
