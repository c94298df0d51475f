import { checkRecipe } from "@/lib/builds/check-recipe";
import { caseRecipe, caseSources, STEP_CASES, type StepCase } from "@/lib/builds/steps/examples";
import { STEP_KINDS } from "@/lib/builds/steps/registry";
import { type Block, type DocContent, h2, list, name, text } from "@/lib/docs/doc";
import { cellTable, jsonBlock, keysOf } from "./recipe-parts";

export const recipeSteps: DocContent = () => [
  text(
    "A table’s `steps` run in order. Each takes rows and columns and returns rows and columns; all of them are " +
      "checked against the known columns before anything is read. Cells of text formats are text until `cast` or " +
      "`parse` reads them.",
  ),
  list(
    "Every step takes a `note` for readers of the recipe.",
    "Where columns are named, a list of names can be replaced by a set: `{matches: pattern}`, `{except: [names]}` or " +
      "`{type: name}`. A set without columns is a fault unless it has `if_any: true`.",
    "`on_error` says what happens to a cell that cannot be read: `fail` ends the run, `null` keeps the row, " +
      "`drop_row` drops it. Both are counted as rejects, and the table’s `tolerance` limits how many there may be.",
  ),
  ...Object.keys(STEP_KINDS).flatMap(stepBlocks),
];

function stepBlocks(step: string): Block[] {
  const kind = STEP_KINDS[step];
  const example = STEP_CASES[step]?.find(({ expected }) => expected !== undefined);
  if (!kind || !example) return [];
  return [h2(step, step), keysOf(`Keys of ${step}`, kind.schema, ["step", "note"]), ...exampleBlocks(step, example)];
}

/** Its golden case, as the tests run it. */
function exampleBlocks(step: string, example: StepCase): Block[] {
  const { recipe, tables } = checkRecipe(caseRecipe(example), caseSources(example));
  const parsed = recipe.tables[0]?.steps.find((each) => each.step === step);
  const after = example.names ?? tables[0]?.columns.map((column) => column.name) ?? [];
  return [
    text(`For example, ${example.name}. This step ${STEP_KINDS[step]?.english(parsed)}.`),
    jsonBlock(`A step: ${step}`, example.steps.length === 1 ? example.steps[0] : example.steps),
    text("From these rows:"),
    cellTable(`Rows before ${step}`, example.columns, example.rows),
    ...(example.other
      ? [
          text(`and the rows of ${name("other")}:`),
          cellTable(`Rows of the other source of ${step}`, example.other.columns, example.other.rows),
        ]
      : []),
    text("it makes:"),
    cellTable(`Rows after ${step}`, after, example.expected ?? []),
    ...(example.rejects ? [text(`Rejected: ${example.rejects.map(name).join(", ")}.`)] : []),
  ];
}
