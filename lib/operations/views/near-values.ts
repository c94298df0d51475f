import { didYouMean } from "@/lib/engine/grammar/did-you-mean";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { parseExactJson } from "@/lib/formats/exact-json";
import { formatCount } from "@/lib/kernel/format";
import { profilesJson, type TableVersion } from "@/lib/store/datasets/tables";

type Values = Readonly<Record<string, unknown>>;

interface Profile {
  min?: unknown;
  max?: unknown;
  top_values?: { value: unknown; count: unknown }[];
}

const EXAMPLES = 6;
const VALUE_CHARACTERS_MAX = 60;
const TEXT_OPERATORS = new Set(["eq", "in", "contains", "starts_with", "ends_with"]);
const RANGE_OPERATORS = new Set(["eq", "in", "gt", "gte", "lt", "lte", "between"]);

/** Values of a table near the filters that matched nothing, one sentence per column, from its profiles. */
export async function nearValues(version: TableVersion, filters: unknown): Promise<string[]> {
  if (!Array.isArray(filters) || filters.length === 0) return [];
  const profiles = parseExactJson(await profilesJson(version.versionId)) as Record<string, Profile>;
  return filters.flatMap((filter: Values) => {
    const column = version.columns.find(({ name }) => name === filter.column);
    const profile = column && profiles[column.name];
    if (!profile) return [];
    const operator = String(filter.operator);
    return columnTypeOf(column).family === "text"
      ? nearText(filter, operator, profile)
      : nearRange(filter, operator, profile);
  });
}

function nearText(filter: Values, operator: string, { top_values: top }: Profile): string[] {
  if (!TEXT_OPERATORS.has(operator) || !top || top.length === 0) return [];
  const wanted = [filter.value].flat().map((value) => String(value));
  const known = top.map(({ value }) => String(value));
  const lines = wanted.flatMap((value) => {
    if (known.includes(value)) return [];
    const meant = nearestOf(value, known);
    const rows = top.find((each) => String(each.value) === meant)?.count;
    return meant === undefined ? [] : [`${meant} (${formatCount(Number(rows))} rows)`];
  });
  if (lines.length > 0) return [`No row has ${said(filter)}. Near: ${lines.join(", ")}.`];
  if (wanted.every((value) => known.includes(value))) return [];
  return [`Perhaps no row has ${said(filter)}. Values look like ${known.slice(0, EXAMPLES).map(short).join(", ")}.`];
}

const nearestOf = (value: string, known: readonly string[]): string | undefined => {
  const lower = value.toLowerCase();
  return (
    known.find((each) => each.toLowerCase() === lower) ??
    known.find((each) => each.toLowerCase().includes(lower) || lower.includes(each.toLowerCase())) ??
    didYouMean(value, known)
  );
};

function nearRange(filter: Values, operator: string, { min, max }: Profile): string[] {
  if (!RANGE_OPERATORS.has(operator) || min === undefined || min === null) return [];
  return [`${String(filter.column)} ranges from ${short(String(min))} to ${short(String(max))}.`];
}

const said = ({ column, operator, value }: Values): string =>
  `${String(column)} ${String(operator)} ${short(JSON.stringify(value) ?? "")}`;

const short = (text: string): string =>
  text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text;
