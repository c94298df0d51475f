import { pointerTo } from "@/lib/engine/grammar/pointer";
import { nameFault } from "@/lib/readers/typed/column-names";
import { columnNameSchema } from "@/lib/schemas/recipe-values";
import { checkUnique, findColumn, projection, reject, type Scope, type StepKind, sameCells } from "./step";
import { nameMap, stepShape } from "./step-shape";

const schema = stepShape("rename", { columns: nameMap(columnNameSchema) });

/** Rejects a new name that a version's columns cannot have. */
export function checkNewName(scope: Scope, name: string, at: string): boolean {
  const message = nameFault(name);
  if (message !== undefined)
    reject(scope, at, { code: "invalid_value", message: `${JSON.stringify(name.slice(0, 100))} ${message}.` });
  return message === undefined;
}

/** Simultaneous, so that two names can be swapped. */
export const rename: StepKind<typeof schema._output> = {
  name: "rename",
  schema,
  english: ({ columns }) =>
    `renames ${Object.entries(columns)
      .slice(0, 6)
      .map(([old, name]) => `${JSON.stringify(old)} to ${JSON.stringify(name)}`)
      .join(", ")}`,
  plan(step, input, scope) {
    const entries = Object.entries(step.columns);
    const at = (old: string) => `/columns${pointerTo(old)}`;
    const found = entries.map(([old, name]) =>
      checkNewName(scope, name, at(old)) ? findColumn(scope, input, old, at(old)) : undefined,
    );
    if (found.includes(undefined)) return undefined;
    const names = new Map(entries);
    const known = input.columns.map((column) => ({ ...column, name: names.get(column.name) ?? column.name }));
    const added = found.flatMap((each, index) =>
      each?.index === -1 ? [{ ...each.column, name: entries[index]?.[1] ?? "" }] : [],
    );
    const columns = [...known, ...added];
    const olds = [...input.columns.map(({ name }) => name), ...added.map(({ name }) => name)];
    const isUnique = checkUnique(
      scope,
      columns.map(({ name }) => name),
      (index) => at(olds[index] ?? ""),
    );
    return isUnique ? projection({ columns, isOpen: input.isOpen }, () => sameCells(input)) : undefined;
  },
};
