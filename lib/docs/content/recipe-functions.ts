import { CHECK_EXAMPLES, EXAMPLE_COLUMNS } from "@/lib/builds/checks/examples";
import { CHECK_KINDS } from "@/lib/builds/checks/registry";
import { EXAMPLE_ROW, FUNCTION_EXAMPLES } from "@/lib/builds/expressions/examples";
import type { Argument, ExpressionFunction } from "@/lib/builds/expressions/function-row";
import { FUNCTIONS } from "@/lib/builds/expressions/registry";
import { type Block, type DocContent, h2, h3, name, text } from "@/lib/docs/doc";
import { cellTable, jsonBlock, keysOf } from "./recipe-parts";

const GROUPS = { numbers: "Numbers", text: "Text", logic: "Logic", time: "Dates and times" } as const;

export const recipeFunctions: DocContent = () => [
  h2("expressions", "Expressions"),
  text(
    "`derive` computes columns, and `filter` takes a condition, from expressions: `{col: name}` is a column, a " +
      "string, number or boolean is itself, `{value, type}` a constant of a type, `{fn: name, args: […]}` a " +
      "function, `{case: [{when, then}], else}` the first branch that holds, and `{not: {filters: […]}}` the rows " +
      "that filters of the [query grammar](/docs/query#operators) do not match.",
  ),
  text("The examples below are computed over this row, in which `n` is an int32 and `d` a decimal(9,2):"),
  cellTable("The row of the examples", Object.keys(EXAMPLE_ROW), [Object.values(EXAMPLE_ROW)]),
  ...(Object.keys(GROUPS) as (keyof typeof GROUPS)[]).flatMap(groupBlocks),
  h2("checks", "Checks"),
  text(
    "Checks look at a table’s finished rows. A failed check of severity `error` ends the run; a warning is only " +
      "reported. Each takes `severity`, `where` (filters: only these rows are checked), `max_failures` (a count or a " +
      "share), `title` and `note`.",
  ),
  ...Object.keys(CHECK_KINDS).flatMap(checkBlocks),
];

function groupBlocks(group: keyof typeof GROUPS): Block[] {
  const rows = Object.entries(FUNCTIONS).filter(([, row]) => row.group === group);
  return [
    h3(`functions-${group}`, GROUPS[group]),
    {
      kind: "table",
      label: GROUPS[group],
      head: ["Function", "Arguments", "Gives", "Example", "Value"],
      rows: rows.map(([fn, row]) => ({ id: `function-${fn}`, cells: functionRow(fn, row) })),
    },
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
