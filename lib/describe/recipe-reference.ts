import type { z } from "zod";
import { CHECK_EXAMPLES } from "@/lib/builds/checks/examples";
import { CHECK_KINDS } from "@/lib/builds/checks/registry";
import { readTree } from "@/lib/builds/document/tree";
import { oneLine } from "@/lib/builds/examples/one-line";
import { READER_EXAMPLES } from "@/lib/builds/examples/reader-examples";
import { SOURCE_EXAMPLES } from "@/lib/builds/examples/source-examples";
import { stepExample } from "@/lib/builds/examples/step-examples";
import { FUNCTION_EXAMPLES } from "@/lib/builds/expressions/examples";
import { FUNCTIONS } from "@/lib/builds/expressions/registry";
import { booleanFormatSchema } from "@/lib/builds/formats/boolean-format";
import { dateFormatSchema } from "@/lib/builds/formats/date-format";
import { dateTokenTexts } from "@/lib/builds/formats/date-tokens";
import { numberFormatSchema } from "@/lib/builds/formats/number-format";
import { STEP_CASES } from "@/lib/builds/steps/examples";
import { STEP_KINDS } from "@/lib/builds/steps/registry";
import { typeExamples } from "@/lib/engine/types/column-types";
import { OPERATORS } from "@/lib/engine/types/operators";
import { recipePublishSchema, recipeTableSchema, refreshSchema } from "@/lib/schemas/recipe";
import { ENCODINGS, READER_OPTIONS } from "@/lib/schemas/recipe-reader";
import { PAGING, SOURCES } from "@/lib/schemas/recipe-source";
import { columnNameSchema } from "@/lib/schemas/recipe-values";
import { memberText, sharedKeys } from "./schema-text";

/** The connector's resource with every key of a recipe. */
export const REFERENCE_URI = "parquetry://recipe-reference";

const lines = (values: readonly unknown[]): string => values.map((value) => `- ${oneLine(value)}`).join("\n");

/** One example per line, from the tables that the code runs on. */
export const stepLines = (): string => lines(Object.keys(STEP_KINDS).map(stepExample));
export const checkLines = (): string => lines(Object.values(CHECK_EXAMPLES).map(({ check }) => check));
export const sourceLines = (): string => lines(Object.values(SOURCE_EXAMPLES));
export const readerLines = (): string =>
  lines(Object.entries(READER_EXAMPLES).flatMap(([format, all]) => all.map((options) => ({ format, options }))));

const keys = (words: string, of: string, example?: unknown): string =>
  `- ${of}: ${words || "no keys of its own"}${example === undefined ? "" : `\n  ${oneLine(example)}`}`;

/** The meaning of keys whose names do not make it clear. */
const meanings = (schema: z.ZodType): string =>
  Object.entries((schema as z.ZodObject).shape)
    .flatMap(([key, { description }]) =>
      description === undefined || key === "note" || description === columnNameSchema.description
        ? []
        : [`${key}: ${description}`],
    )
    .map((line) => `\n  ${line}`)
    .join("");

const ofAll = <Row>(rows: Readonly<Record<string, Row>>, line: (name: string, row: Row) => string): string =>
  Object.entries(rows)
    .map(([name, row]) => line(name, row))
    .join("\n");

const functionExample = (fn: string): string => {
  const [expression, value] = FUNCTION_EXAMPLES.find(([each]) => (each as { fn?: string }).fn === fn) ?? [];
  return expression === undefined ? "" : ` ${oneLine(expression)} is ${value ?? "null"}.`;
};

/** Listed once, before the kinds that share them. */
const OF_SOURCES = [...sharedKeys(Object.values(SOURCES)), "kind"];
const OF_PAGES = sharedKeys(Object.values(PAGING));
const OF_SHEETS = sharedKeys([READER_OPTIONS.csv, READER_OPTIONS.xlsx]).filter((key) => key !== "trim");

const keysBut = ({ shape }: z.ZodObject, kept: readonly string[]): string[] => [
  "kind",
  ...Object.keys(shape).filter((key) => !kept.includes(key)),
];

/** A step of a golden case that has a key. */
const parseExample = (key: string): unknown =>
  STEP_CASES.parse?.flatMap(({ steps }) => steps).find((step) => step.step === "parse" && Object.hasOwn(step, key));

/** What the example of a step does, as recipes are read in words. */
function stepInWords(step: string): string {
  const kind = STEP_KINDS[step];
  const example = kind?.schema.safeParse(readTree(JSON.stringify(stepExample(step)))).data;
  return example === undefined ? "" : `\n  This ${kind?.english(example)}.`;
}

/** Keys of a parse step, described by themselves. */
const FORMATS = { number: numberFormatSchema, date: dateFormatSchema, boolean: booleanFormatSchema };

/** Parts of the recipe's grammar: each has every key with its values, and examples. */
export const RECIPE_PARTS = {
  sources: () => `## Sources

Every kind: ${memberText(SOURCES.table, keysBut(SOURCES.table, OF_SOURCES))}

${ofAll(SOURCES, (kind, schema) => keys(memberText(schema, ["reader", "pages", ...OF_SOURCES]), kind))}

\`pages: {by, …}\` of http. Every way: ${memberText(PAGING.page, ["by", ...keysBut(PAGING.page, OF_PAGES)])}

${ofAll(PAGING, (by, schema) => keys(memberText(schema, OF_PAGES), by))}

Examples:

${sourceLines()}
`,
  readers: () => `## Readers: \`reader: {format, options}\`

Rows are counted from 1, in the raw file. csv, tsv and xlsx: \
${memberText(READER_OPTIONS.csv, keysBut(READER_OPTIONS.csv, OF_SHEETS))}

${ofAll(READER_OPTIONS, (format, schema) => keys(memberText(schema, OF_SHEETS), format))}

Encodings: ${ENCODINGS.join(", ")}.

Examples:

${readerLines()}
`,
  tables: () => `## Tables

- ${memberText(recipeTableSchema, ["steps", "checks"])}, steps: [step], checks: [check]

Types of columns: ${columnTypes()}.

## Refresh and publish

- refresh: ${memberText(refreshSchema)}
- publish: ${memberText(recipePublishSchema)}
`,
  steps: () => `## Steps

A set of columns is {matches: pattern}, {except: [names]} or {type: name}. Every step takes a note.

${ofAll(
  STEP_KINDS,
  (step, { schema }) =>
    keys(memberText(schema, ["step", "note", ...Object.keys(FORMATS)]), step, stepExample(step)) +
    stepInWords(step) +
    meanings(schema),
)}

parse also takes number, date or boolean: a format. Operators of filters: ${Object.keys(OPERATORS).join(", ")}.
`,
  formats: () => `## Formats: \`number\`, \`date\` or \`boolean\` of a parse step

Without one, numbers are plain digits, dates YYYY-MM-DD, and timestamps as in ISO 8601.

${ofAll(FORMATS, (format, schema) => keys(memberText(schema), format, parseExample(format)))}

Tokens of date formats; other characters stand for themselves:

${dateTokenTexts()
  .map(([token, english]) => `- ${token}: ${english}`)
  .join("\n")}
`,
  functions: () => `## Functions: \`{fn, args}\` in derive and filter

{col: name} is a column, {value, type} a constant of a type, {case: [{when, then}], else} the first that is true, \
{not: {filters}} the rows that filters do not match.

${ofAll(FUNCTIONS, (fn, { english }) => `- ${fn}: ${english}.${functionExample(fn)}`)}
`,
  checks: () => `## Checks

Each takes severity (error | warn), where (filters), max_failures, title and note.

${ofAll(CHECK_KINDS, (check, { schema }) =>
  keys(
    memberText(schema, ["check", "severity", "where", "max_failures", "title", "note"]),
    check,
    CHECK_EXAMPLES[check]?.check,
  ),
)}
`,
} as const satisfies Record<string, () => string>;

export type RecipePart = keyof typeof RECIPE_PARTS;

const columnTypes = (): string =>
  typeExamples()
    .map(({ name }) => name)
    .join(", ");

/** Every key of a recipe with its values, and an example of each part, as text for agents. Pure. */
export const recipeReference = (): string =>
  [
    `# The recipe: every key

${READING_KEYS} A recipe has \`schema_version: service-recipe.v1\`, \`sources\`, \`tables\`, \`refresh?\` and \
\`publish\`.
`,
    ...Object.values(RECIPE_PARTS).map((part) => part()),
  ].join("\n");

const READING_KEYS = "`key?` may be left out; `= value` is its default.";

/** One part, by itself. Pure. */
export const recipePart = (part: RecipePart): string => `${READING_KEYS}\n\n${RECIPE_PARTS[part]()}`;
