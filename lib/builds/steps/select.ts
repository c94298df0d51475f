import { findColumns, projection, type StepKind } from "./step";
import { listed, nameList, stepShape } from "./step-shape";

const schema = stepShape("select", { columns: nameList() });

export const select: StepKind<typeof schema._output> = {
  name: "select",
  schema,
  english: ({ columns }) => `keeps the columns ${listed(columns)}`,
  plan(step, input, scope) {
    const found = findColumns(scope, input, step.columns, "/columns");
    return (
      found &&
      projection({ columns: found.map(({ column }) => column), isOpen: false }, () =>
        found.map(({ index }) => `c${index}`),
      )
    );
  },
};
