import { type Block, type DocContent, h2, h3, list, name, names, note, samples, table, text } from "@/lib/docs/doc";
import { FUNCTION_EXAMPLES, OPERATOR_EXAMPLES } from "@/lib/docs/samples/grammar-examples";
import { CURSOR, FILTERS, GROUPS, OFFSET, WHOLE_TABLE } from "@/lib/docs/samples/query";
import { schemaFields } from "@/lib/docs/schema-fields";
import {
  AGGREGATES_MAX,
  COLUMNS_MAX,
  FILTERS_MAX,
  GROUPS_MAX,
  LIMIT_DEFAULT,
  OFFSET_MAX,
  ORDER_MAX,
  VALUES_MAX,
} from "@/lib/engine/grammar/bounds";
import { querySchema } from "@/lib/engine/grammar/grammar";
import { AGGREGATES, type AggregateName } from "@/lib/engine/types/aggregates";
import type { ColumnType, Family } from "@/lib/engine/types/column-type";
import { typeExamples } from "@/lib/engine/types/column-types";
import { TEXT_MAX } from "@/lib/engine/types/filter-value";
import { INT64 } from "@/lib/engine/types/integers";
import { OPERATORS, type OperatorName } from "@/lib/engine/types/operators";
import { formatCount } from "@/lib/kernel/format";

const VALUES = { none: "none", one: "one value", two: "`[low, high]`", many: `1 to ${VALUES_MAX} values` } as const;

export const query: DocContent = ({ settings }) => [
  text(
    "A query is a JSON document sent with POST. The grammar is closed and is not SQL: anything not described " +
      "here is rejected before any row is read, with all faults reported at once and a pointer to each.",
  ),
  samples("Filters", ...FILTERS),
  h2("body", "The body"),
  { kind: "fields", label: "Fields of a query", fields: schemaFields(querySchema) },
  text(
    `Without a key, send the query to \`/api/public/tables/{table_id}/query\`; \`limit\` can be up to ` +
      `${formatCount(settings.ROWS_ANONYMOUS)}. With a key, send it to ` +
      `\`/api/v2/public/tables/{table_id}/query\`; \`limit\` can be up to ${formatCount(settings.ROWS_KEY)}. A ` +
      "larger limit is rejected, not reduced.",
  ),
  h2("columns", "Columns"),
  text(
    `List 1 to ${COLUMNS_MAX} column names, each once and spelled exactly as in the schema. In grouped queries ` +
      "the list may be empty: they return groups and aggregates.",
  ),
  h2("operators", "Filters"),
  text(`Up to ${FILTERS_MAX} filters, combined with AND. There is no OR; \`in\` covers its most common use.`),
  ...operatorBlocks(),
  h3("filter-values", "Values of filters"),
  list(
    "Use numbers for numeric columns, booleans for boolean columns and strings for all others. Digits are " +
      "compared exactly: see [Types and values](/docs/types).",
    "Dates are `YYYY-MM-DD`; timestamps are `YYYY-MM-DDThh:mm:ssZ` with up to six fractional digits. " +
      "Timestamps are UTC; only `Z` is accepted.",
    `Text operators are literal and case-sensitive: \`%\` and \`_\` have no special meaning. A string has at ` +
      `most ${formatCount(TEXT_MAX)} characters.`,
    "Like all comparisons, `neq` excludes nulls; use `is_null` to select them.",
  ),
  h2("order", "Order"),
  text(
    `Up to ${ORDER_MAX} columns, each \`asc\` (default) or \`desc\`. Nulls come last in both directions; NaN ` +
      "is greater than all numbers. Ties are broken by the row’s position in the version, so every order is " +
      "total.",
  ),
  h2("paging", "Paging"),
  text(
    `\`limit\` defaults to ${LIMIT_DEFAULT}. Each page has a \`next_cursor\`; send it back as \`cursor\` with ` +
      "the same columns, filters and order_by until it is null. No row is repeated or missing. A cursor belongs " +
      "to its version: pagination continues on that version even after a newer one is published. It does not " +
      "depend on the key or the limit, and does not expire while the version exists.",
  ),
  samples("Two pages", CURSOR),
  text(`\`offset\` skips up to ${formatCount(OFFSET_MAX)} rows; it is allowed on the first page only.`),
  samples("Offset", OFFSET),
  note(
    "A page also ends at its byte limit, after a complete row, with a `next_cursor`. `execution.truncated` " +
      "tells you that more rows exist.",
  ),
  h2("groups", "Groups"),
  text(
    `\`group_by\` takes up to ${GROUPS_MAX} columns and \`aggregates\` up to ${AGGREGATES_MAX} functions, each ` +
      `with a unique alias in \`as\`. The reply has one row per group. Null is a group of its own.`,
  ),
  samples("Groups", ...GROUPS),
  list(
    "`limit` counts groups, and there is no next page: `cursor` and `offset` are rejected with aggregates. " +
      "`truncated` tells you that more groups exist.",
    "Sort only by group columns and aliases.",
    "`group_by` alone returns the distinct groups. `aggregates` alone return one row for the whole table, " +
      "which cannot be sorted.",
    "An alias has 1 to 63 letters, digits and underscores and does not start with a digit. It must differ from " +
      "group columns and other aliases (case-insensitive).",
  ),
  samples("The whole table", WHOLE_TABLE),
  h2("functions", "Functions"),
  ...functionBlocks(),
];

function operatorBlocks(): Block[] {
  const rows = (Object.keys(OPERATORS) as OperatorName[]).map((operator) => {
    const { arity, families, english } = OPERATORS[operator];
    return {
      id: `operator-${operator}`,
      cells: [name(operator), english.replace(/,$/, ""), VALUES[arity], typesOf(families)],
    };
  });
  const examples = Object.values(OPERATOR_EXAMPLES).map(({ dataset, part, gives }) => [
    name(JSON.stringify(part)),
    `${formatCount(Number(gives))} rows of ${dataset}`,
  ]);
  return [
    { kind: "table", label: "Filter operators", head: ["Operator", "The column", "Takes", "Column types"], rows },
    h3("operator-examples", "An example of each"),
    table("Examples of operators", ["Filter", "Meets"], examples),
  ];
}

function functionBlocks(): Block[] {
  const rows = (Object.keys(AGGREGATES) as AggregateName[]).map((aggregate) => {
    const { arity, families, english } = AGGREGATES[aggregate];
    return {
      id: `function-${aggregate}`,
      cells: [name(aggregate), english, arity === 0 ? "takes no column" : typesOf(families), resultsOf(aggregate)],
    };
  });
  const examples = Object.values(FUNCTION_EXAMPLES).map(({ dataset, part, gives }) => [
    name(JSON.stringify(part)),
    `${name(JSON.stringify(gives))} of ${dataset}`,
  ]);
  return [
    { kind: "table", label: "Aggregate functions", head: ["Function", "Gives", "Column types", "Result type"], rows },
    text("All functions except `count` ignore nulls. `stddev` and `variance` are the sample statistics."),
    h3("function-examples", "An example of each"),
    table("Examples of functions", ["Aggregate", "Gives"], examples),
  ];
}

/** Families of many types by what these are; the others by their types' names. */
const FAMILY_WORDS: Readonly<Partial<Record<Family, string>>> = {
  numeric: "numbers",
  opaque: "nested, `binary` and `json`",
};

const ALL_FAMILIES = new Set(typeExamples().map(({ family }) => family));

function typesOf(families: readonly Family[]): string {
  return ALL_FAMILIES.size === families.length ? "all" : families.map(familyText).join(", ");
}

const familyText = (family: Family): string =>
  FAMILY_WORDS[family] ??
  names(
    typeExamples()
      .filter((type) => type.family === family)
      .map((type) => type.name),
  );

/** The result type by the column's, those with one result together. */
function resultsOf(aggregate: AggregateName): string {
  const { arity, families, result } = AGGREGATES[aggregate];
  if (arity === 0) return name(result(INT64).name);
  const taken = typeExamples().filter(({ family }) => families.includes(family));
  if (taken.every((type) => result(type).name === type.name)) return "the column’s";
  const byResult = new Map<string, string[]>();
  for (const type of taken)
    byResult.set(result(type).name, [...(byResult.get(result(type).name) ?? []), pluralOf(type)]);
  if (byResult.size === 1) return names([...byResult.keys()]);
  return [...byResult].map(([to, from]) => `${name(to)} of ${[...new Set(from)].join(", ")}`).join("; ");
}

const pluralOf = (type: ColumnType): string => type.words.plural ?? type.name;
