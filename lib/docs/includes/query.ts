import { type Include, name, names, table } from "@/lib/docs/doc";
import { FUNCTION_EXAMPLES, OPERATOR_EXAMPLES } from "@/lib/docs/samples/grammar-examples";
import { schemaFields } from "@/lib/docs/schema-fields";
import { VALUES_MAX } from "@/lib/engine/grammar/bounds";
import { querySchema } from "@/lib/engine/grammar/grammar";
import { AGGREGATES, type AggregateName } from "@/lib/engine/types/aggregates";
import { BUCKETS } from "@/lib/engine/types/buckets";
import type { ColumnType, Family } from "@/lib/engine/types/column-type";
import { functionsFor, operatorsFor, typeExamples } from "@/lib/engine/types/column-types";
import { DERIVATIONS, type Derivation, type DerivationName } from "@/lib/engine/types/derivations";
import { INT64 } from "@/lib/engine/types/integers";
import { OPERATORS, type OperatorName } from "@/lib/engine/types/operators";
import { JSON_FORMAT, PAGE_FORMATS } from "@/lib/formats/page-formats";
import { formatCount } from "@/lib/kernel/format";

const TAKES = { none: "none", one: "one value", two: "`[low, high]`", many: `1 to ${VALUES_MAX} values` } as const;

/** The query grammar, column types and formats. */
export const QUERY: Readonly<Record<string, Include>> = {
  "query-fields": () => [{ kind: "fields", label: "Fields of a query", fields: schemaFields(querySchema) }],
  "filter-operators": () => {
    const rows = (Object.keys(OPERATORS) as OperatorName[]).map((operator) => {
      const { arity, families, english, ofItems } = OPERATORS[operator];
      const types = ofItems ? `lists of ${typesOf(ofItems)}` : typesOf(families);
      return {
        id: `operator-${operator}`,
        cells: [name(operator), english.replace(/,$/, ""), TAKES[arity], types],
      };
    });
    return [table("Filter operators", ["Operator", "The column", "Takes", "Column types"], rows)];
  },
  "operator-examples": () => {
    const rows = Object.values(OPERATOR_EXAMPLES).map(({ dataset, part, gives }) => [
      name(JSON.stringify(part)),
      `${formatCount(Number(gives))} rows of ${dataset}`,
    ]);
    return [table("Examples of operators", ["Filter", "Matches"], rows)];
  },
  "aggregate-functions": () => {
    const rows = (Object.keys(AGGREGATES) as AggregateName[]).map((aggregate) => {
      const { arity, families, english, needs } = AGGREGATES[aggregate];
      const taken = [
        arity === 0 ? "takes no column" : typesOf(families),
        ...(needs ? [`needs ${needs.map(name).join(" or ")}`] : []),
      ];
      const { result } = AGGREGATES[aggregate];
      const type = arity === 0 ? name(result(INT64).name) : resultsOf({ families, result }, "the column’s");
      return { id: `function-${aggregate}`, cells: [name(aggregate), english, taken.join("; "), type] };
    });
    return [table("Aggregate functions", ["Function", "Gives", "Column types", "Result type"], rows)];
  },
  "function-examples": () => {
    const rows = Object.values(FUNCTION_EXAMPLES).map(({ dataset, part, gives }) => [
      name(JSON.stringify(part)),
      `${name(JSON.stringify(gives))} of ${dataset}`,
    ]);
    return [table("Examples of functions", ["Aggregate", "Gives"], rows)];
  },
  derivations: () => {
    const rows = (Object.keys(DERIVATIONS) as DerivationName[]).map((derivation) => {
      const { english, families, needs, takes } = DERIVATIONS[derivation];
      const taken = [...needs.map((need) => `needs ${name(need)}`), ...takes.map((more) => `takes ${name(more)}`)];
      const of = families ? typesOf(families) : "all";
      return [name(derivation), english, of, taken.join(", "), resultsOf(DERIVATIONS[derivation], "that result’s")];
    });
    return [table("Derived results", ["Function", "Gives", "Of", "Besides", "Result type"], rows)];
  },
  buckets: () => {
    const rows = Object.entries(BUCKETS).map(([bucket, { english }]) => [name(bucket), english]);
    return [table("Buckets", ["Bucket", "One group per"], rows)];
  },
  "bucket-types": () => {
    const rows = Object.entries(BUCKETS).map(([bucket, { families, ofItems, english, result, isOfItems }]) => [
      name(bucket),
      english,
      [...(families.length > 0 ? [typesOf(families)] : []), ...(ofItems ? ["lists"] : [])].join(", "),
      isOfItems ? "the item’s" : name(result(INT64).name),
    ]);
    return [table("Buckets", ["Bucket", "Groups by", "Column types", "Result type"], rows)];
  },
  "column-types": () => {
    const rows = typeExamples().map(({ name: type, json, vocabulary }) => [
      name(type),
      json.kind,
      vocabulary.form,
      name(vocabulary.example),
    ]);
    return [table("Column types", ["Type", "As JSON", "Form", "Example"], rows)];
  },
  "functions-by-type": () => {
    const rows = typeExamples().map(({ name: type }) => [
      name(type),
      names(operatorsFor(type)),
      names(functionsFor(type)) || "none",
    ]);
    return [table("Operators and functions by type", ["Type", "Filter operators", "Functions"], rows)];
  },
  "page-formats": () => {
    const rows = [JSON_FORMAT, ...PAGE_FORMATS].map(({ label, media, description }) => [
      label,
      name(media),
      description,
    ]);
    return [table("Formats of query pages", ["Format", "Accept", "Description"], rows)];
  },
};

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
function resultsOf({ families, result }: Pick<Derivation, "families" | "result">, own: string): string {
  const taken = typeExamples().filter(({ family }) => families?.includes(family) !== false);
  if (taken.every((type) => result(type).name === type.name)) return own;
  const byResult = new Map<string, string[]>();
  for (const type of taken)
    byResult.set(result(type).name, [...(byResult.get(result(type).name) ?? []), pluralOf(type)]);
  if (byResult.size === 1) return names([...byResult.keys()]);
  return [...byResult].map(([to, from]) => `${name(to)} of ${[...new Set(from)].join(", ")}`).join("; ");
}

const pluralOf = (type: ColumnType): string => type.vocabulary.plural ?? type.name;
