import type { Condition, Relation } from "./agent-question";

/** A column as get_table_schema describes it. */
export interface ToldColumn {
  name: string;
  type: string;
  description?: string;
  unit?: string;
  profile: {
    min?: unknown;
    max?: unknown;
    distinct_count?: { value: number };
    top_values?: { value: unknown; count: number }[];
  };
}

/** The meaning of a person's words in a table, or the words that it does not know. */
export class NotInTheData extends Error {
  constructor(readonly missing: string) {
    super(missing);
  }
}

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) => word.replace(/(?<=.{3})s$/, ""));

/** The column that a thing means: by the words of its name first, then by those of its meaning. */
export function columnFor<Column extends ToldColumn>(thing: string, columns: readonly Column[]): Column {
  const wanted = wordsOf(thing);
  const [best] = columns.map((column) => ({ column, ...scoreOf(wanted, column) })).sort((a, b) => b.score - a.score);
  if (!best || best.known < wanted.length) throw new NotInTheData(thing);
  return best.column;
}

function scoreOf(wanted: readonly string[], { name, description = "" }: ToldColumn): { known: number; score: number } {
  const [inName, inMeaning] = [wordsOf(name), wordsOf(description)];
  const abbreviates = (word: string) => (other: string) =>
    other.startsWith(word) || (other.length > 2 && word.startsWith(other));
  const each = wanted.map((word) =>
    inName.includes(word) ? 3 : inName.some(abbreviates(word)) ? 2 : inMeaning.includes(word) ? 1 : 0,
  );
  const known = each.reduce((sum: number, score) => sum + score, 0);
  return { known, score: known - (0.01 * inName.length + 0.0001 * inMeaning.length) };
}

/**
 * The value as the column spells it. If the schema listed all values, one that resembles none of them is not in the
 * data.
 */
export function valueFor(word: unknown, { type, profile }: ToldColumn): unknown {
  if (type !== "string" || typeof word !== "string") return word;
  const told = (profile.top_values ?? []).map(({ value }) => String(value));
  const same = told.find((value) => value.toLowerCase() === word.toLowerCase());
  if (same !== undefined || told.length !== profile.distinct_count?.value) return same ?? word;
  const near = told.find((value) => value.toLowerCase().startsWith(word.slice(0, 3).toLowerCase()));
  if (near === undefined) throw new NotInTheData(word);
  return near;
}

const OPERATORS: Readonly<Record<Relation, string>> = {
  is: "eq",
  "is one of": "in",
  over: "gt",
  "at least": "gte",
  under: "lt",
  "at most": "lte",
  between: "between",
  "in the year": "between",
  "on the day": "between",
  contains: "contains",
  "starts with": "starts_with",
  "is unknown": "is_null",
};

export interface Filter {
  column: string;
  operator: string;
  value?: unknown;
}

/** A condition in the form that query_table takes. */
export function filterFor([thing, relation, word]: Condition, columns: readonly ToldColumn[]): Filter {
  const column = columnFor(
    thing,
    typeof word === "boolean" ? columns.filter(({ type }) => type === "boolean") : columns,
  );
  const operator = OPERATORS[relation];
  if (relation === "is unknown") return { column: column.name, operator };
  if (relation === "in the year")
    return { column: column.name, operator, value: span(`${word}-01-01`, `${word}-12-31`, column) };
  if (relation === "on the day")
    return { column: column.name, operator, value: span(String(word), String(word), column) };
  return { column: column.name, operator, value: relation === "is" ? valueFor(word, column) : word };
}

/**
 * Full days, in the form of the column's type. Days before the first or after the last value in the schema are not in
 * the data.
 */
function span(first: string, last: string, { type, profile: { min, max } }: ToldColumn): string[] {
  if (typeof min === "string" && typeof max === "string" && (last < min || first > max))
    throw new NotInTheData(`${min} to ${max}`);
  return type === "timestamp" ? [`${first}T00:00:00Z`, `${last}T23:59:59.999999Z`] : [first, last];
}
