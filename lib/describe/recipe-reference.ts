import type { z } from "zod";
import { CHECK_EXAMPLES } from "@/lib/builds/checks/examples";
import { CHECK_KINDS } from "@/lib/builds/checks/registry";
import { oneLine } from "@/lib/builds/examples/one-line";
import { READER_EXAMPLES } from "@/lib/builds/examples/reader-examples";
import { SOURCE_EXAMPLES } from "@/lib/builds/examples/source-examples";
import { stepExample } from "@/lib/builds/examples/step-examples";
import { FUNCTION_EXAMPLES } from "@/lib/builds/expressions/examples";
import { FUNCTIONS } from "@/lib/builds/expressions/registry";
import { STEP_KINDS } from "@/lib/builds/steps/registry";
import { recipePublishSchema, recipeTableSchema, refreshSchema } from "@/lib/schemas/recipe";
import { READER_OPTIONS } from "@/lib/schemas/recipe-reader";
import { PAGING, SOURCES } from "@/lib/schemas/recipe-source";
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
      description === undefined || key === "note" ? [] : [`${key}: ${description}`],
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

/** Every key of a recipe with its values, and an example of each part, as text for agents. Pure. */
export function recipeReference(): string {
  return `# The recipe: every key

\`key?\` may be left out; \`= value\` is its default. A recipe has \`schema_version: service-recipe.v1\`, \
\`sources\`, \`tables\`, \`refresh?\` and \`publish\`.

## Sources

Every kind: ${memberText(SOURCES.table, keysBut(SOURCES.table, OF_SOURCES))}

${ofAll(SOURCES, (kind, schema) => keys(memberText(schema, ["reader", "pages", ...OF_SOURCES]), kind))}

\`pages: {by, …}\` of http. Every way: ${memberText(PAGING.page, ["by", ...keysBut(PAGING.page, OF_PAGES)])}

${ofAll(PAGING, (by, schema) => keys(memberText(schema, OF_PAGES), by))}

Examples:

${sourceLines()}

## Readers: \`reader: {format, options}\`

Rows are counted from 1, in the raw file. csv, tsv and xlsx: \
${memberText(READER_OPTIONS.csv, keysBut(READER_OPTIONS.csv, OF_SHEETS))}

${ofAll(READER_OPTIONS, (format, schema) => keys(memberText(schema, OF_SHEETS), format))}

Examples:

${readerLines()}

## Tables

- ${memberText(recipeTableSchema, ["steps", "checks"])}, steps: [step], checks: [check]

## Steps

A set of columns is {matches: pattern}, {except: [names]} or {type: name}. Every step takes a note.

${ofAll(
  STEP_KINDS,
  (step, { schema }) => keys(memberText(schema, ["step", "note"]), step, stepExample(step)) + meanings(schema),
)}

## Functions: \`{fn, args}\` in derive and filter

{col: name} is a column, {value, type} a constant of a type, {case: [{when, then}], else} the first that is true.

${ofAll(FUNCTIONS, (fn, { english }) => `- ${fn}: ${english}.${functionExample(fn)}`)}

## Checks

Each takes severity (error | warn), where (filters), max_failures, title and note.

${ofAll(CHECK_KINDS, (check, { schema }) =>
  keys(
    memberText(schema, ["check", "severity", "where", "max_failures", "title", "note"]),
    check,
    CHECK_EXAMPLES[check]?.check,
  ),
)}

## Refresh and publish

- refresh: ${memberText(refreshSchema)}
- publish: ${memberText(recipePublishSchema)}
`;
}
