import { operatorsOffered } from "@/components/explorer/view/operator-text";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { OPERATORS, type OperatorName } from "@/lib/engine/types/operators";
import type { Column } from "@/lib/schemas/column";
import { filterFaults, filterOn, textsOf } from "@/lib/view/filter-values";
import type { ViewColumn, ViewFilter } from "@/lib/view/view";

/** A filter while it is edited. Everything typed is kept, even what the current operator does not use. */
export interface FilterDraft {
  id: number;
  column: string;
  operator: OperatorName;
  /** For operators with one value, and the lower of two. */
  low: string;
  high: string;
  /** One value per line, for operators with many values. */
  lines: string;
  /** Undefined until chosen. By default, operators on parts of a string ignore case and the others do not. */
  ignoreCase?: boolean | undefined;
}

export function draftOf(filter: ViewFilter, id: number): FilterDraft {
  const { column, operator, ignore_case: ignoreCase = false } = filter;
  const texts = textsOf(filter);
  return { id, column, operator, low: texts[0] ?? "", high: texts[1] ?? "", lines: texts.join("\n"), ignoreCase };
}

/** A number that no draft of the list has. */
export const newId = (drafts: readonly { id: number }[]): number => 1 + Math.max(-1, ...drafts.map(({ id }) => id));

/** An empty draft for a column, with the most common operator. */
export function emptyDraft(column: ViewColumn, id: number): FilterDraft {
  const operators = operatorsOffered(column.type);
  const { usual } = columnTypeOf(column).view;
  const operator = operators.includes(usual) ? usual : (operators[0] ?? "is_not_null");
  return { id, column: column.name, operator, low: "", high: "", lines: "" };
}

/** The draft for another column: a condition on a date or a list means nothing for a name, so it starts empty. */
export const onColumn = ({ id }: FilterDraft, column: ViewColumn): FilterDraft => emptyDraft(column, id);

/** The filter that a draft describes. */
export function filterOf(draft: FilterDraft, columns: readonly ViewColumn[]): ViewFilter {
  const { operator, low, high, lines } = draft;
  const many = lines.split("\n").filter((line) => line.trim() !== "");
  const texts = { none: [], one: [low], two: [low, high], many: many.length > 0 ? many : [""] };
  const column = columns.find(({ name }) => name === draft.column) ?? { name: draft.column, type: "string" };
  return filterOn(column, operator, texts[OPERATORS[operator].arity], ignoresCase(draft, column.type));
}

/** Whether a condition can ignore case: only on strings, and not with every operator. */
export const canIgnoreCase = ({ operator }: FilterDraft, type: string): boolean =>
  OPERATORS[operator].ignoresCase === true && columnTypeOf({ type }).family === "text";

export const ignoresCase = (draft: FilterDraft, type: string): boolean =>
  canIgnoreCase(draft, type) && (draft.ignoreCase ?? OPERATORS[draft.operator].isPart === true);

/** A column of the table, with its profile, or of a result, with its name while that is edited. */
export type FilteredColumn = ViewColumn & { profile?: Column["profile"] | undefined; label?: string | undefined };

export const labelOf = ({ name, label = name }: FilteredColumn): string => label;

/**
 * Whether the empty text may be a value of the column. If not, a field that was left empty is a slip, and the filter
 * would select nothing without a word.
 */
const hasEmptyText = ({ profile }: FilteredColumn): boolean =>
  profile?.length === undefined || profile.length.min === 0;

/** What is wrong with a draft, as a sentence; undefined if the service accepts it. */
export function draftFault(draft: FilterDraft, columns: readonly FilteredColumn[]): string | undefined {
  const column = columns.find((entry) => entry.name === draft.column);
  if (!column) return "Choose a column.";
  const filter = filterOf(draft, columns);
  const { family } = columnTypeOf(column);
  const { arity } = OPERATORS[draft.operator];
  if (arity === "many" && draft.lines.trim() === "") return "Enter at least one value, one per line.";
  const mayBeEmpty =
    arity === "none" || (family === "text" && !OPERATORS[draft.operator].isPart && hasEmptyText(column));
  if (!mayBeEmpty && textsOf(filter).some((text) => text.trim() === ""))
    return arity === "two" ? "Enter both values." : "Enter a value.";
  const [fault] = filterFaults(filter, column);
  return fault && (family === "timestamp" ? instantFault(fault.message, filter) : fault.message);
}

/** The error for a value that is not an instant, with both accepted forms. */
function instantFault(message: string, filter: ViewFilter): string {
  if (!message.startsWith("Expected a timestamp")) return message;
  const { operator } = filter;
  const texts = textsOf(filter);
  const text = texts.find((value) => Number.isNaN(Date.parse(value)) || !value.endsWith("Z")) ?? texts[0] ?? "";
  const day = operator === "neq" || operator === "in" ? "" : "a date, such as 2018-02-05, or ";
  return `Invalid time: ${text.slice(0, 40)}. Enter ${day}a time in UTC, such as 2018-02-05 13:30.`;
}

/** What can be typed for a column, shown as the field's placeholder. */
export const valueHint = (type: string): string => columnTypeOf({ type }).view.hint;
