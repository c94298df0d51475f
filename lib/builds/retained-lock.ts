import type { Recipe, RecipeStep, RecipeTable } from "@/lib/schemas/recipe";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import type { KnownSources } from "./check-recipe";
import { canonicalJson } from "./document/canonical";
import type { Lock } from "./lock";

/**
 * The parts of a revision's lock that a later revision does not affect; null if there are none. Everything that it
 * affects is decided again by its next sample: tables that are built differently, tables built from those, and the
 * types of the sources that either reads.
 */
export function retainedLock(before: Recipe, after: Recipe, lock: Lock): Lock | null {
  const sources = new Set(sameSources(before, after));
  const tables = sameTables(before, after, sources);
  const touched = namesBelow(
    after,
    after.tables.filter(({ name }) => !tables.has(name)),
  );
  const unchanged = [...sources].filter((name) => !touched.has(name));
  if (unchanged.length + tables.size === 0) return null;
  const named = <T>(all: Readonly<Record<string, T>>, names: Iterable<string>): Record<string, T> => {
    const wanted = new Set(names);
    return Object.fromEntries(Object.entries(all).filter(([name]) => wanted.has(name)));
  };
  return {
    ...lock,
    columns: named(lock.columns, tables),
    inferred: lock.inferred.filter(({ table }) => tables.has(table)),
    sets: Object.fromEntries([...tables].flatMap((name) => movedSets(before, after, name, lock.sets))),
    source_columns: named(lock.source_columns, unchanged),
  };
}

/** The columns that a sample of `before` found in the sources that `after` reads the same way. */
export function sampledSources(before: Recipe, after: Recipe, lock: Lock): KnownSources {
  const same = sameSources(before, after);
  return new Map(
    same.flatMap((name) => {
      const columns = lock.source_columns[name];
      return columns ? [[name, columns] as const] : [];
    }),
  );
}

function sameSources(before: Recipe, after: Recipe): string[] {
  const texts = new Map(before.sources.map((source) => [source.name, sourceText(source)]));
  return after.sources.flatMap((source) => (texts.get(source.name) === sourceText(source) ? [source.name] : []));
}

/** The parts of a source that determine what arrives from it. */
const sourceText = (source: RecipeSource): string =>
  canonicalJson({ ...source, ...{ note: undefined, title: undefined, description: undefined, homepage: undefined } });

/** Tables that are built the same way from the same inputs. A table refers only to earlier ones. */
function sameTables(before: Recipe, after: Recipe, sources: ReadonlySet<string>): Set<string> {
  const texts = new Map(before.tables.map((table) => [table.name, derivationText(table)]));
  const same = new Set<string>();
  for (const table of after.tables) {
    const isSame = texts.get(table.name) === derivationText(table);
    if (isSame && inputsOf(table).every((name) => sources.has(name) || same.has(name))) same.add(table.name);
  }
  return same;
}

/** What determines a table's columns. Its checks, keys and texts do not change them. */
function derivationText({ from, steps, columns = [], only }: RecipeTable): string {
  const types = columns.map(({ name, type = null, nullable }) => ({ name, type, nullable }));
  return canonicalJson({ from, only, types, steps: steps.map((step) => ({ ...step, note: undefined })) });
}

/** The sources and earlier tables that a table is made from. */
const inputsOf = ({ from, steps }: RecipeTable): string[] => [from, ...steps.flatMap(otherInputs)];

function otherInputs(step: RecipeStep): string[] {
  const { with: others } = step as { with?: unknown };
  return [others].flat().filter((name) => typeof name === "string");
}

/** The sources and tables that these are made from, and what those are made from. */
function namesBelow(recipe: Recipe, tables: readonly RecipeTable[]): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...tables];
  for (let table = open.pop(); table; table = open.pop())
    for (const name of inputsOf(table)) {
      const other = found.has(name) ? undefined : recipe.tables.find((each) => each.name === name);
      found.add(name);
      if (other) open.push(other);
    }
  return found;
}

/** Column sets of a table, by their current pointer. */
function movedSets(before: Recipe, after: Recipe, name: string, sets: Lock["sets"]): [string, string[]][] {
  const at = ({ tables }: Recipe) => tables.findIndex((table) => table.name === name);
  const [from, to] = [`/tables/${at(before)}/`, `/tables/${at(after)}/`];
  return Object.entries(sets).flatMap(([pointer, names]) =>
    pointer.startsWith(from) ? [[`${to}${pointer.slice(from.length)}`, names]] : [],
  );
}
