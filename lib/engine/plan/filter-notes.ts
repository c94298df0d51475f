import { VALUES_MAX } from "@/lib/engine/grammar/bounds";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import { isOperatorName, OPERATORS, type Operator } from "@/lib/engine/types/operators";
import { formatCount, formatList, formatPlural } from "@/lib/kernel/format";
import { type Condition, conditionFor, type Filter } from "./conditions";
import { counted, EXAMINED_MAX, type NoteCandidate, nullTest, type RowsProbe } from "./noted";
import type { Plan } from "./planned";

/** Maximum number of values that are looked for, over all filters: the first ones. */
const LOOKED_FOR_MAX = 2 * VALUES_MAX;
/** Maximum number of values in a message, and of characters of each. */
const SHOWN_MAX = 3;
const CHARACTERS_MAX = 60;

/** A filter of the body, or of one of its aggregates, with what rows must meet besides. */
interface Examined {
  filter: Filter;
  operator: Operator;
  pointer: string;
  index: number;
  column: EngineColumn;
  condition: Condition;
  others: Pick<RowsProbe, "conditions" | "search">;
}

/** The notes that the filters of a valid body may get. */
export function filterNotes(body: QueryBody, plan: Plan, columns: readonly EngineColumn[]): NoteCandidate[] {
  const filters = examinedFilters(body, plan, columns).slice(0, EXAMINED_MAX);
  return [...notFound(filters), ...filters.flatMap(otherCase), ...filters.flatMap(nullsLeftOut)];
}

function examinedFilters(body: QueryBody, plan: Plan, columns: readonly EngineColumn[]): Examined[] {
  const { conditions, search } = plan;
  const ofBody = examine(body.filters, "/filters", conditions, { conditions: [], search }, columns);
  const aggregates = plan.kind === "groups" ? plan.aggregates : [];
  const ofAggregates = aggregates.flatMap(({ filters = [] }, at) => {
    const pointer = `/aggregates/${at}/filters`;
    return examine(body.aggregates[at]?.filters ?? [], pointer, filters, { conditions, search }, columns);
  });
  return [...ofBody, ...ofAggregates];
}

function examine(
  filters: readonly Filter[],
  pointer: string,
  conditions: readonly Condition[],
  among: Pick<RowsProbe, "conditions" | "search">,
  columns: readonly EngineColumn[],
): Examined[] {
  return filters.flatMap((filter, at) => {
    const condition = conditions[at];
    const index = columns.findIndex(({ name }) => name === filter.column);
    const column = columns[index];
    if (!condition || !column || !isOperatorName(filter.operator)) return [];
    const others = { ...among, conditions: [...among.conditions, ...conditions.filter((_, other) => other !== at)] };
    const operator = OPERATORS[filter.operator];
    return [{ filter, operator, pointer: `${pointer}/${at}`, index, column, condition, others }];
  });
}

const isText = (column: EngineColumn): boolean => columnTypeOf(column).family === "text";

/** Rows that match only if case is ignored. Operators that leave rows out match fewer then. */
function otherCase({ filter, operator, pointer, column, condition, others }: Examined): NoteCandidate[] {
  const hasCase = condition.values.some((text) => text.toLowerCase() !== text.toUpperCase());
  if (!operator.ignoresCase || operator.isNegative || filter.ignore_case || !isText(column) || !hasCase) return [];
  const ignoring: Condition = { ...condition, ignoreCase: true };
  const probe = { ...others, counts: true, conditions: [...others.conditions, ignoring], unless: condition };
  return [
    counted("other_case", pointer, probe, (count) => {
      const rows = `${formatCount(count)} more ${count === 1 ? "row matches" : "rows match"}`;
      return `${rows} in the column ${column.name} if case is ignored (ignore_case).`;
    }),
  ];
}

/** Rows without a value, which are neither equal nor unequal to one. */
function nullsLeftOut({ filter, operator, pointer, index, column, others }: Examined): NoteCandidate[] {
  if (!operator.isNegative) return [];
  const probe = { ...others, counts: true, conditions: [...others.conditions, nullTest("is_null", index)] };
  return [
    counted("nulls_left_out", pointer, probe, (count) => {
      const [rows, are] = [formatPlural(count, "row"), count === 1 ? "is" : "are"];
      const left = `${rows} without a value in the column ${column.name} ${are} left out by ${filter.operator}.`;
      return `${left} Count them with is_null.`;
    }),
  ];
}

/** Values that no row of the version has, whatever the other filters are. */
function notFound(filters: readonly Examined[]): NoteCandidate[] {
  let left = LOOKED_FOR_MAX;
  return filters.flatMap((examined) => {
    const { filter, operator, column, index } = examined;
    if (!operator.isEquality && !operator.ofItems) return [];
    const values = [filter.value].flat().slice(0, left);
    left -= values.length;
    const probes = values.flatMap((value): RowsProbe[] => {
      const each = { ...filter, operator: operator.isEquality ? "eq" : filter.operator, value };
      const condition = conditionFor(each, "", column, index);
      return Array.isArray(condition) ? [] : [{ counts: false, conditions: [condition] }];
    });
    const sought = isText(column) ? { column: index, texts: values.map(String) } : undefined;
    const decide: NoteCandidate["decide"] = (answers) => absentNote(examined, values, answers);
    return [{ code: "value_not_found" as const, probes, sought, decide }];
  });
}

function absentNote(
  { filter, pointer, column }: Examined,
  values: readonly unknown[],
  answers: readonly number[],
): ReturnType<NoteCandidate["decide"]> {
  const absent = values.flatMap((value, at) => (answers[at] === 0 ? [{ value, at }] : []));
  const [first] = absent;
  if (!first) return undefined;
  const isOne = absent.length === 1 && Array.isArray(filter.value);
  const shown = absent.slice(0, SHOWN_MAX).map(({ value }) => quoted(value));
  const rest = absent.length - shown.length;
  const listed = formatList([...shown, ...(rest > 0 ? [formatPlural(rest, "other")] : [])], "or");
  return {
    pointer: isOne ? `${pointer}/value/${first.at}` : `${pointer}/value`,
    message: `No row has ${listed} in the column ${column.name}.`,
  };
}

/** A value as a message shows it; numbers have their own digits. */
function quoted(value: unknown): string {
  if (typeof value !== "string") return String(value).slice(0, CHARACTERS_MAX);
  const characters = [...value.slice(0, 2 * CHARACTERS_MAX + 2)];
  const isCut = characters.length > CHARACTERS_MAX;
  return `“${characters.slice(0, CHARACTERS_MAX).join("")}${isCut ? "…" : ""}”`;
}
