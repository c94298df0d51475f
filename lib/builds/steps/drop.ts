import { z } from "zod";
import { type ColumnSet, columnSetSchema, resolveSet } from "./column-set";
import { projection, reject, type StepKind } from "./step";
import { listed, stepShape } from "./step-shape";

const schema = stepShape("drop", { columns: columnSetSchema, if_any: z.boolean().default(false) });

export const setText = (set: ColumnSet): string =>
  Array.isArray(set)
    ? listed(set)
    : "matches" in set
      ? `whose name matches ${set.matches}`
      : "except" in set
        ? `other than ${listed(set.except)}`
        : `of type ${set.type}`;

export const drop: StepKind<typeof schema._output> = {
  name: "drop",
  schema,
  english: ({ columns }) => `drops the columns ${setText(columns)}`,
  plan(step, input, scope) {
    const known = new Set(input.columns.map(({ name }) => name));
    const isLenient = step.if_any && Array.isArray(step.columns) && !input.isOpen;
    const named = isLenient ? (step.columns as string[]).filter((name) => known.has(name)) : step.columns;
    const found = Array.isArray(named) && named.length === 0 ? [] : resolveSet(scope, input, named, "/columns");
    if (!found) return undefined;
    const gone = new Set(found.map(({ index }) => index));
    const left = input.columns.flatMap((column, index) => (gone.has(index) ? [] : [{ column, index }]));
    if (left.length === 0 && !input.isOpen)
      return reject(scope, "/columns", { code: "invalid_value", message: "At least one column must remain." });
    return projection({ columns: left.map(({ column }) => column), isOpen: input.isOpen }, () =>
      left.map(({ index }) => `c${index}`),
    );
  },
};
