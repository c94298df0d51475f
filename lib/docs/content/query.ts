import { type Block, type DocContent, h2, h3, list, name, names, note, samples, table, text } from "@/lib/docs/doc";
import { FUNCTION_EXAMPLES, OPERATOR_EXAMPLES } from "@/lib/docs/samples/grammar-examples";
import { HAVING, LICENCE_TEXT, PATENTS } from "@/lib/docs/samples/more-query";
import { CURSOR, FILTERS, GROUPS, MONTHS, OFFSET, WHOLE_TABLE } from "@/lib/docs/samples/query";
import { schemaFields } from "@/lib/docs/schema-fields";
import {
  AGGREGATES_MAX,
  COLUMNS_MAX,
  FILTERS_MAX,
  GROUP_FILTERS_MAX,
  GROUPS_MAX,
  LIMIT_DEFAULT,
  OFFSET_MAX,
  ORDER_MAX,
  SEARCH_MAX,
  VALUES_MAX,
} from "@/lib/engine/grammar/bounds";
import { querySchema } from "@/lib/engine/grammar/grammar";
import { AGGREGATES, type AggregateName } from "@/lib/engine/types/aggregates";
import { BUCKETS } from "@/lib/engine/types/buckets";
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
    "`ignore_case: true` compares strings by Unicode’s simple case folding on both sides: `STRASSE` does not match " +
      "`Straße`, and `İ` does not match `i`. It works with `eq`, `neq`, `in`, `not_in` and the text operators.",
    "`has` finds an item in a list column of scalars.",
    "Like all comparisons, `neq`, `not_in` and `not_contains` exclude nulls; use `is_null` to select them.",
  ),
  h3("search", "Search"),
  text(
    `\`search\` keeps the rows in which at least one string column contains a string of up to ${SEARCH_MAX} ` +
      "characters in any case. `columns` names the columns to search (default: all string columns). It is combined " +
      "with the filters by AND.",
  ),
  samples("Licences that mention patents", PATENTS),
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
  h3("total", "Total"),
  text(
    "`total: true` adds `execution.total_rows`: all rows, or groups, before `limit` and `offset`. It is the same on " +
      "each page of one query.",
  ),
  h3("cell", "Long cells"),
  text(
    "`cell` reads one long string in parts of at most 48 KiB: `{column, offset}`, with filters that match exactly " +
      "one row. The reply has only that column, and `execution.cell` gives the length of the whole cell in " +
      "characters, the offset of this part and `next_offset`, which is null after the last part.",
  ),
  samples("The text of a licence", LICENCE_TEXT),
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
  h3("buckets", "Buckets and widths"),
  text(
    "An entry of `group_by` can also be an object: `{column, bucket}` groups dates and timestamps by a span or by " +
      "a part of the calendar, `{column, width}` groups numbers by their lower edge. `as` names the result column " +
      "(default: the column’s name), and `order_by` takes that name.",
  ),
  bucketTable(),
  samples("Flights per month", MONTHS),
  list(
    "All buckets are in UTC; weeks begin on Monday. Null is a group of its own.",
    "A width must be greater than 0 and exactly representable in the column’s type; for floats, it has at most " +
      "15 significant digits. A group is named by its lower edge, a multiple of the width in the column’s type. Its " +
      "rows are exactly those that the filters `gte` that edge and `lt` the next one select, below zero too. NaN, " +
      "Infinity and -Infinity are groups of their own. An edge outside the type’s range, and a value of more than " +
      "2^53 widths, are `result_too_large`.",
  ),
  h3("having", "Having"),
  text(
    `\`having\` filters the groups: up to ${GROUP_FILTERS_MAX} filters over group columns and aliases, combined ` +
      "with AND.",
  ),
  samples("Airports with many flights", HAVING),
  h2("functions", "Functions"),
  text(
    `Any aggregate takes \`filters\` (up to ${GROUP_FILTERS_MAX}) and then computes over the rows that match them; ` +
      "`share` requires them and gives their share of all rows of the group (null if there are none). `quantile` " +
      "takes `at`, from 0 to 1, and interpolates between the two nearest values as `median` does.",
  ),
  ...functionBlocks(),
];

function bucketTable(): Block {
  const rows = Object.entries(BUCKETS).map(([bucket, { families, english, result }]) => [
    name(bucket),
    english,
    typesOf(families),
    name(result.name),
  ]);
  return table("Buckets", ["Bucket", "Groups by", "Column types", "Result type"], rows);
}

function operatorBlocks(): Block[] {
  const rows = (Object.keys(OPERATORS) as OperatorName[]).map((operator) => {
    const { arity, families, english, ofItems } = OPERATORS[operator];
    return {
      id: `operator-${operator}`,
      cells: [
        name(operator),
        english.replace(/,$/, ""),
        VALUES[arity],
        ofItems ? `lists of ${typesOf(ofItems)}` : typesOf(families),
      ],
    };
  });
  const examples = Object.values(OPERATOR_EXAMPLES).map(({ dataset, part, gives }) => [
    name(JSON.stringify(part)),
    `${formatCount(Number(gives))} rows of ${dataset}`,
  ]);
  return [
    { kind: "table", label: "Filter operators", head: ["Operator", "The column", "Takes", "Column types"], rows },
    h3("operator-examples", "An example of each"),
    table("Examples of operators", ["Filter", "Matches"], examples),
  ];
}

function functionBlocks(): Block[] {
  const rows = (Object.keys(AGGREGATES) as AggregateName[]).map((aggregate) => {
    const { arity, families, english, needs } = AGGREGATES[aggregate];
    const taken = [arity === 0 ? "takes no column" : typesOf(families), ...(needs ? [`needs ${name(needs)}`] : [])];
    return {
      id: `function-${aggregate}`,
      cells: [name(aggregate), english, taken.join("; "), resultsOf(aggregate)],
    };
  });
  const examples = Object.values(FUNCTION_EXAMPLES).map(({ dataset, part, gives }) => [
    name(JSON.stringify(part)),
    `${name(JSON.stringify(gives))} of ${dataset}`,
  ]);
  return [
    { kind: "table", label: "Aggregate functions", head: ["Function", "Gives", "Column types", "Result type"], rows },
    text("All functions except `count` and `share` ignore nulls. `stddev` and `variance` are the sample statistics."),
    h3("function-examples", "An example of each"),
    table("Examples of functions", ["Aggregate", "Gives"], examples),
  ];
}

/** Families of many types, by their description; the others by their types' names. */
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

/** The result type by the column's; types with the same result together. */
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
