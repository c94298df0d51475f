import type { ColumnFound } from "./column-found";

type Step = Readonly<Record<string, unknown>>;

const YEARS_MIN = 3;
const YEAR = /^(?:19|20)\d{2}$/;
/** A year before a group, as given by a header of two rows, as a pattern for a recipe. */
const YEAR_AND_GROUP = String.raw`^((?:19|20)\d{2}) (.+)$`;

export interface SuggestedTable {
  steps: Step[];
  /** Names and types of the result's columns, in the form of a sealed table's. */
  columns: { name: string; type: string }[];
}

/**
 * Steps that give the columns their proposed types, and the resulting columns, ready to be put into a table of a
 * recipe. Columns of one kind share a step. Ambiguous days and months are left to a person.
 */
export function suggestedTable(all: readonly ColumnFound[]): SuggestedTable {
  const found = withoutClashes(all);
  const flattened = found.flatMap(flattenStep);
  const columns = found.flatMap((column) => column.members?.map((member) => member.column) ?? [column]);
  const years = wideYears(columns);
  const long = columns.filter((column) => !years.includes(column));
  const taken = new Set(long.map(({ name }) => name.toLowerCase()));
  const wide = years.length > 0 ? yearsToRows(years, taken) : { steps: [], columns: [] };
  return {
    steps: [...flattened, ...parses(long), ...wide.steps],
    columns: [...long.map(resultOf), ...wide.columns],
  };
}

/** Objects with a member named like another column are left as they are. */
function withoutClashes(columns: readonly ColumnFound[]): ColumnFound[] {
  const counts = new Map<string, number>();
  const namesOf = ({ name, members = [] }: ColumnFound) => [name, ...members.map(({ column }) => column.name)];
  for (const name of columns.flatMap(namesOf))
    counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  return columns.map(({ members, ...column }) => {
    const isClear = members?.every((member) => counts.get(member.column.name.toLowerCase()) === 1);
    return { ...column, ...(members && isClear && { members }) };
  });
}

function flattenStep({ name, members }: ColumnFound): Step[] {
  if (!members) return [];
  const fields = members.map(({ at, type, column }) => [column.name, { at, type }] as const);
  return [{ step: "flatten", column: name, fields: Object.fromEntries(fields) }];
}

/** Columns whose names contain values: years, or years and groups. None if there are too few to tell. */
function wideYears(columns: readonly ColumnFound[]): ColumnFound[] {
  const years = columns.filter(({ name }) => YEAR.test(name));
  if (years.length >= YEARS_MIN) return years;
  const grouped = columns.filter(({ name }) => new RegExp(YEAR_AND_GROUP).test(name));
  return grouped.length >= YEARS_MIN ? grouped : [];
}

/** The steps of columns of one kind, joined: white space and missing values first. */
function parses(columns: readonly ColumnFound[]): Step[] {
  const groups = new Map<string, { order: number; step: Step; columns: ColumnFound[] }>();
  for (const column of columns)
    for (const step of typingSteps(column)) {
      const key = JSON.stringify(step);
      const group = groups.get(key) ?? { order: ORDER.indexOf(String(step.step)), step, columns: [] };
      group.columns.push(column);
      groups.set(key, group);
    }
  return [...groups.values()]
    .toSorted((a, b) => a.order - b.order)
    .map(({ step, columns: found }) =>
      onColumns(
        step,
        found.map(({ name }) => name),
      ),
    );
}

const ORDER = ["trim", "null_if", "parse", "cast"];

function onColumns({ step, to, ...format }: Step, names: readonly string[]): Step {
  const columns = step === "cast" ? Object.fromEntries(names.map((name) => [name, to])) : names;
  return { step, columns, ...format };
}

const resultOf = (column: ColumnFound): { name: string; type: string } => ({
  name: column.name,
  type: column.isText && typingSteps(column).length === 0 ? "string" : column.type,
});

/** The steps that give a text column its type, without its name. None if it stays text or a person must choose. */
function typingSteps(column: ColumnFound): Step[] {
  const { type, number, date = [], tokens, isText, isPadded, isCast, staysText } = column;
  if (staysText) return [{ step: "parse", as: "string" }];
  if (!isText || type === "string" || date.length > 1) return [];
  const nulls = tokens.map(({ token }) => token);
  const trim = isPadded ? [{ step: "trim", invisible: false }] : [];
  if (isCast)
    return [...trim, ...(nulls.length > 0 ? [{ step: "null_if", values: nulls }] : []), { step: "cast", to: type }];
  const format = {
    ...(number && { number: { ...number, ...(number.thousands.length === 0 && { thousands: undefined }) } }),
    ...(date.length > 0 && { date: { formats: date } }),
    ...(type === "boolean" && { boolean: { true: ["true"], false: ["false"] } }),
  };
  const plain = JSON.parse(JSON.stringify(format)) as object;
  return [...trim, { step: "parse", as: type, ...plain, ...(nulls.length > 0 && { null_tokens: nulls }) }];
}

/** A column with the cells of several, if the same steps read them. */
function joined([first, ...others]: readonly ColumnFound[], name: string): ColumnFound | undefined {
  if (!first || others.some((each) => kindOf(each) !== kindOf(first))) return undefined;
  const all = [first, ...others];
  const tokens = new Map(all.flatMap((column) => column.tokens).map((each) => [each.token, each]));
  return {
    ...{ ...first, name, tokens: [...tokens.values()] },
    ...(all.some(({ isPadded }) => isPadded) && { isPadded: true }),
    ...(all.some(({ isCast }) => isCast) && { isCast: true }),
  };
}

const kindOf = ({ type, number, date, isText }: ColumnFound): string => JSON.stringify([type, number, date, isText]);

/** The name, or the name with the first number from 2 that no column has. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let free = name, number = 2; ; number += 1) {
    if (!taken.has(free)) return free;
    free = `${name}_${number}`;
  }
}

/** Turns a header of years into a column. `taken` are the other columns' names in lower case. */
function yearsToRows(years: readonly ColumnFound[], taken: ReadonlySet<string>): SuggestedTable {
  const [first] = years;
  const [year, group, values] = ["year", "group", "value"].map((name) => freeName(name, taken)) as [
    string,
    string,
    string,
  ];
  const value = joined(years, values);
  const names = years.map(({ name }) => name);
  const isGrouped = first !== undefined && !YEAR.test(first.name);
  const parts = isGrouped
    ? { names: { pattern: YEAR_AND_GROUP, into: { [year]: 1, [group]: 2 } } }
    : { names_to: year };
  return {
    steps: [
      { step: "unpivot", columns: names, ...parts, values_to: values },
      { step: "parse", columns: [year], as: "int64" },
      ...(value ? parses([value]) : []),
    ],
    columns: [
      { name: year, type: "int64" },
      ...(isGrouped ? [{ name: group, type: "string" }] : []),
      value ? resultOf(value) : { name: values, type: first?.isText ? "string" : String(first?.type) },
    ],
  };
}
