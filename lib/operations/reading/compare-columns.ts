import { stringifyExactJson } from "@/lib/formats/exact-json";
import type { Column, StoredColumn } from "@/lib/schemas/column";
import type { Comparison } from "@/lib/schemas/comparison";

type Columns = readonly StoredColumn[];

/**
 * How the columns of two versions differ. `profileOf` returns a profile's exact text, by which a renamed column is
 * guessed.
 */
export function compareColumns(
  before: Columns,
  after: Columns,
  profileOf: { before(name: string): string; after(name: string): string },
): Comparison["columns"] {
  const [old, now] = [byName(before), byName(after)];
  const added = after.filter(({ name }) => !old.has(name));
  const removed = before.filter(({ name }) => !now.has(name));
  const pairs = after.flatMap((column) => {
    const earlier = old.get(column.name);
    return earlier ? [{ name: column.name, from: earlier, to: column }] : [];
  });
  return {
    added: added.map(headOf),
    removed: removed.map(headOf),
    retyped: pairs
      .filter(({ from, to }) => from.storage !== to.storage || from.type !== to.type)
      .map(({ name, from, to }) => ({ name, from: typeOf(from), to: typeOf(to) })),
    described: pairs
      .map(({ name, from, to }) => ({ name, from: annotationsOf(from), to: annotationsOf(to) }))
      .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to)),
    perhaps_renamed: removed.flatMap((from) => {
      const to = added.find(
        ({ name, storage }) => storage === from.storage && profileOf.after(name) === profileOf.before(from.name),
      );
      return to ? [{ from: from.name, to: to.name }] : [];
    }),
    reordered: before.filter(({ name }) => now.has(name)).some(({ name }, at) => pairs[at]?.name !== name),
  };
}

/** The profiles of both versions' columns, those of the later one first. */
export function compareProfiles(before: readonly Column[], after: readonly Column[]): Comparison["profiles"] {
  const [old, now] = [byName(before), byName(after)];
  const names = [...now.keys(), ...[...old.keys()].filter((name) => !now.has(name))];
  return names.map((name) => {
    const [from, to] = [sideOf(old.get(name)), sideOf(now.get(name))];
    return { name, differs: stringifyExactJson(from) !== stringifyExactJson(to), from, to };
  });
}

const byName = <T extends { name: string }>(columns: readonly T[]): Map<string, T> =>
  new Map(columns.map((column) => [column.name, column]));

const headOf = ({ name, type }: StoredColumn) => ({ name, type });

/** Two structs, or lists of them, may differ under the same type name. */
const typeOf = ({ type, storage }: StoredColumn): string => (/struct/.test(type) ? storage : type);

const annotationsOf = ({ description, unit, nullable }: StoredColumn) => ({ description, unit, nullable });

const sideOf = (column: Column | undefined) => (column ? { type: column.type, profile: column.profile } : null);
