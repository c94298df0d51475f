import { columnTypeOf } from "@/lib/engine/types/column-types";
import { parseExactJson } from "@/lib/formats/exact-json";
import { profilesJson, type TableVersion } from "@/lib/store/datasets/tables";

type Values = Readonly<Record<string, unknown>>;

interface Profile {
  min?: unknown;
  max?: unknown;
  top_values?: { value: unknown }[];
}

const EXAMPLES = 6;
const VALUE_CHARACTERS_MAX = 60;
const TEXT_OPERATORS = new Set(["eq", "in", "contains", "starts_with", "ends_with"]);
const RANGE_OPERATORS = new Set(["eq", "in", "gt", "gte", "lt", "lte", "between"]);

/** What the columns of filters that matched nothing have, a sentence each, from the profiles of the version. */
export async function exampleValues(version: TableVersion, filters: unknown): Promise<string[]> {
  if (!Array.isArray(filters) || filters.length === 0) return [];
  const profiles = parseExactJson(await profilesJson(version.versionId)) as Record<string, Profile>;
  return filters.flatMap((filter: Values) => {
    const column = version.columns.find(({ name }) => name === filter.column);
    const profile = column && profiles[column.name];
    if (!profile) return [];
    const operator = String(filter.operator);
    return columnTypeOf(column).family === "text"
      ? examples(filter, operator, profile)
      : range(filter, operator, profile);
  });
}

function examples(filter: Values, operator: string, { top_values: top }: Profile): string[] {
  if (!TEXT_OPERATORS.has(operator) || !top || top.length === 0) return [];
  const known = top.map(({ value }) => String(value));
  if ([filter.value].flat().every((value) => known.includes(String(value)))) return [];
  return [`Values of ${String(filter.column)} look like ${known.slice(0, EXAMPLES).map(short).join(", ")}.`];
}

function range(filter: Values, operator: string, { min, max }: Profile): string[] {
  if (!RANGE_OPERATORS.has(operator) || min === undefined || min === null) return [];
  return [`${String(filter.column)} ranges from ${short(String(min))} to ${short(String(max))}.`];
}

const short = (text: string): string =>
  text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text;
