import type { z } from "zod";
import { checkRecipe } from "@/lib/builds/check-recipe";
import { CHECK_EXAMPLES, EXAMPLE_COLUMNS } from "@/lib/builds/checks/examples";
import { CHECK_KINDS } from "@/lib/builds/checks/registry";
import { EXAMPLE_ROW, FUNCTION_EXAMPLES } from "@/lib/builds/expressions/examples";
import type { Argument, ExpressionFunction } from "@/lib/builds/expressions/function-row";
import { FUNCTIONS } from "@/lib/builds/expressions/registry";
import { dateTokenTexts } from "@/lib/builds/formats/date-tokens";
import { caseRecipe, caseSources, STEP_CASES, type StepCase } from "@/lib/builds/steps/examples";
import { STEP_KINDS } from "@/lib/builds/steps/registry";
import { type Block, h2, h3, type Include, name, table, text } from "@/lib/docs/doc";
import { schemaFields } from "@/lib/docs/schema-fields";
import { recipePublishSchema, recipeTableSchema, refreshSchema } from "@/lib/schemas/recipe";
import { READER_OPTIONS } from "@/lib/schemas/recipe-reader";
import { PAGING, SOURCES } from "@/lib/schemas/recipe-source";

const GROUPS = { numbers: "Numbers", text: "Text", logic: "Logic", time: "Dates and times" } as const;

/** Recipes: their keys, steps, functions and checks, with the golden cases as examples. */
export const RECIPES: Readonly<Record<string, Include>> = {
  /** `{{source-keys http}}` */
  "source-keys": (_, kind) => {
    const schema = new Map<string, z.ZodType>(Object.entries(SOURCES)).get(kind);
    if (!schema) throw new Error(`unknown kind of source ${kind}`);
    return [keysOf(`Keys of a source of kind ${kind}`, schema, ["reader.format", "reader.options", "pages"])];
  },
  "paging-keys": () => Object.entries(PAGING).map(([by, schema]) => keysOf(`Pages by ${by}`, schema)),
  readers: () =>
    Object.entries(READER_OPTIONS).flatMap(([format, schema]) => [
      h3(`reader-${format}`, format),
      keysOf(`Options of ${format}`, schema),
    ]),
  "table-keys": () => [keysOf("Keys of a table", recipeTableSchema)],
  "refresh-keys": () => [keysOf("Keys of refresh", refreshSchema)],
  "publish-keys": () => [keysOf("Keys of publish", recipePublishSchema)],
  steps: () => Object.keys(STEP_KINDS).flatMap(stepBlocks),
  "date-tokens": () => [
    table(
      "Tokens of formats of dates",
      ["Token", "Reads"],
      dateTokenTexts().map(([token, english]) => [name(token), english]),
    ),
  ],
  "example-row": () => [cellTable("The row of the examples", Object.keys(EXAMPLE_ROW), [Object.values(EXAMPLE_ROW)])],
  functions: () => (Object.keys(GROUPS) as (keyof typeof GROUPS)[]).flatMap(groupBlocks),
  checks: () => Object.keys(CHECK_KINDS).flatMap(checkBlocks),
};

/** The keys of a part of a recipe; those that are shown elsewhere are left out with what is within them. */
function keysOf(label: string, schema: z.ZodType, without: readonly string[] = []): Block {
  const isOut = (field: string) =>
    without.some((key) => field === key || field.startsWith(`${key}.`) || field.startsWith(`${key}[]`));
  return { kind: "fields", label, fields: schemaFields(schema).filter((field) => !isOut(field.name)) };
}

/** A part of a recipe, as JSON. */
const jsonBlock = (label: string, value: unknown): Block => ({
  kind: "code",
  label,
  language: "json",
  code: JSON.stringify(value, null, 2),
});

/** Rows of cells: strings as code, null as the word. */
const cellTable = (label: string, head: readonly string[], rows: readonly (readonly (string | null)[])[]): Block =>
  table(
    label,
    head,
    rows.map((row) => row.map((cell) => (cell === null ? "null" : name(cell === "" ? '""' : cell)))),
  );

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

function groupBlocks(group: keyof typeof GROUPS): Block[] {
  const rows = Object.entries(FUNCTIONS).filter(([, row]) => row.group === group);
  return [
    h3(`functions-${group}`, GROUPS[group]),
    table(
      GROUPS[group],
      ["Function", "Arguments", "Gives", "Example", "Value"],
      rows.map(([fn, row]) => ({ id: `function-${fn}`, cells: functionRow(fn, row) })),
    ),
  ];
}

function functionRow(fn: string, row: ExpressionFunction): string[] {
  const [expression, value] = FUNCTION_EXAMPLES.find(([each]) => (each as { fn?: string }).fn === fn) ?? [];
  return [
    name(fn),
    argumentText(row),
    row.english,
    name(JSON.stringify(expression)),
    value === null || value === undefined ? "null" : name(value),
  ];
}

function argumentText({ args, optional = 0, most }: ExpressionFunction): string {
  const words = args.map((argument, at) => (at >= args.length - optional ? `[${wordOf(argument)}]` : wordOf(argument)));
  return words.join(", ") + (most === undefined ? "" : ` (at most ${most} in all)`);
}

function wordOf(argument: Argument): string {
  switch (argument.kind) {
    case "family":
      return argument.words;
    case "any":
      return "any value";
    case "pattern":
      return "a pattern";
    case "zone":
      return "a time zone";
    case "sign":
      return "a character";
    case "text":
      return "a constant string";
    case "whole":
      return `${argument.min} to ${argument.max}`;
    case "word":
      return argument.words.map(name).join(" or ");
  }
}

function checkBlocks(check: string): Block[] {
  const kind = CHECK_KINDS[check];
  const example = CHECK_EXAMPLES[check];
  if (!kind || !example) return [];
  const head = Object.keys(EXAMPLE_COLUMNS);
  return [
    h3(`check-${check}`, check),
    keysOf(`Keys of ${check}`, kind.schema, ["check", "severity", "where", "max_failures", "title", "note"]),
    jsonBlock(`A check: ${check}`, example.check),
    ...(example.previous
      ? [text("With a current release of:"), cellTable(`Released before ${check}`, head, example.previous)]
      : []),
    text("these rows pass:"),
    cellTable(`Rows that pass ${check}`, head, example.passes),
    text("and these fail:"),
    cellTable(`Rows that fail ${check}`, head, example.fails),
  ];
}
