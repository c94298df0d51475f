import type { ColumnFound } from "./columns";

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
  const wide = years.length > 0 ? yearsToRows(years) : { steps: [], columns: [] };
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

function parses(columns: readonly ColumnFound[]): Step[] {
  const groups = new Map<string, { columns: string[]; format: Step }>();
  for (const column of columns) {
    const format = parseOf(column);
    if (!format) continue;
    const key = JSON.stringify(format);
    const group = groups.get(key) ?? { columns: [], format };
    group.columns.push(column.name);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ columns: names, format }) => ({ step: "parse", columns: names, ...format }));
}

function resultOf(column: ColumnFound): { name: string; type: string } {
  const { name, type, isText } = column;
  const parsed = parseOf(column)?.as;
  return { name, type: isText ? String(parsed ?? "string") : type };
}

function parseOf({ type, number, date = [], nullTokens, isText, others }: ColumnFound): Step | undefined {
  if (!isText || date.length > 1) return undefined;
  const further = {
    ...(nullTokens.length > 0 && { null_tokens: nullTokens }),
    ...(others > 0 && { on_error: "null" }),
  };
  const grouped = number && { ...number, ...(number.thousands.length === 0 && { thousands: undefined }) };
  const plain = grouped && (JSON.parse(JSON.stringify(grouped)) as object);
  switch (type) {
    case "int64":
      return { as: "int64", ...further };
    case "decimal":
      return { as: "float64", ...(plain && { number: plain }), ...further };
    case "date":
    case "timestamp":
      return { as: type, date: { formats: date }, ...further };
    case "boolean":
      return { as: "boolean", boolean: { true: ["true"], false: ["false"] }, ...further };
    default:
      return undefined;
  }
}

/** Turns a header of years into a column. */
function yearsToRows(years: readonly ColumnFound[]): SuggestedTable {
  const [first] = years;
  const format = first && years.every(({ type }) => type === first.type) ? parseOf(first) : undefined;
  const typed = format ? [{ step: "parse", columns: ["value"], ...format }] : [];
  const names = years.map(({ name }) => name);
  const isGrouped = first !== undefined && !YEAR.test(first.name);
  const taken = isGrouped ? { names: { pattern: YEAR_AND_GROUP, into: { year: 1, group: 2 } } } : { names_to: "year" };
  return {
    steps: [
      { step: "unpivot", columns: names, ...taken, values_to: "value" },
      { step: "parse", columns: ["year"], as: "int64" },
      ...typed,
    ],
    columns: [
      { name: "year", type: "int64" },
      ...(isGrouped ? [{ name: "group", type: "string" }] : []),
      { name: "value", type: String(format?.as ?? (first?.isText ? "string" : first?.type)) },
    ],
  };
}
