import type { Recipe, RecipeTable } from "@/lib/schemas/recipe";

/** The names of all sources of a table's rows, including those of earlier tables, in the document's order. */
export function sourcesOfTable({ sources, tables }: Recipe, name: string): string[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const seen = new Set<string>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const table = byName.get(next);
    if (table) open.push(...readBy(table));
  }
  return sources.map((source) => source.name).filter((source) => seen.has(source));
}

/** The sources and tables that a table reads directly: `from`, and those that its steps join or add. */
function readBy({ from, steps }: RecipeTable): string[] {
  const others = steps.flatMap((step) => (step as { with?: string | string[] }).with ?? []);
  return [from, ...others];
}
