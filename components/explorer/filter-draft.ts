import { columnTypeOf, operatorsFor } from "@/lib/engine/types/column-types";
import { OPERATORS, type OperatorName } from "@/lib/engine/types/operators";
import { filterFaults } from "./filter-values";
import type { ViewColumn, ViewFilter } from "./view";

/** A filter while it is typed: all that was typed stays, whatever it is worth to the operator chosen now. */
export interface FilterDraft {
  id: number;
  column: string;
  operator: OperatorName;
  /** For operators of one value, and the lower of two. */
  low: string;
  high: string;
  /** A value a line, for operators of many. */
  lines: string;
}

export const draftOf = ({ column, operator, values }: ViewFilter, id: number): FilterDraft => ({
  id,
  column,
  operator,
  low: values[0] ?? "",
  high: values[1] ?? "",
  lines: values.join("\n"),
});

/** An empty draft for a column, with the operator that is asked for most. */
export function emptyDraft(column: ViewColumn, id: number): FilterDraft {
  const operators = operatorsFor(column.type) as OperatorName[];
  const { usual } = columnTypeOf(column).view;
  const operator = operators.includes(usual) ? usual : (operators[0] ?? "is_not_null");
  return { id, column: column.name, operator, low: "", high: "", lines: "" };
}

/** The draft for another column: what was typed stays, the operator where it applies. */
export function onColumn(draft: FilterDraft, column: ViewColumn): FilterDraft {
  const isKept = operatorsFor(column.type).includes(draft.operator);
  return { ...draft, column: column.name, operator: isKept ? draft.operator : emptyDraft(column, draft.id).operator };
}

export function filterOf({ column, operator, low, high, lines }: FilterDraft): ViewFilter {
  const many = lines.split("\n").filter((line) => line.trim() !== "");
  const values = { none: [], one: [low], two: [low, high], many: many.length > 0 ? many : [""] }[
    OPERATORS[operator].arity
  ];
  return { column, operator, values };
}

/** What is wrong with a draft, in a sentence; undefined for one that the service takes. */
export function draftFault(draft: FilterDraft, columns: readonly ViewColumn[]): string | undefined {
  const column = columns.find((entry) => entry.name === draft.column);
  if (!column) return "Choose a column.";
  const filter = filterOf(draft);
  const isText = columnTypeOf(column).family === "text";
  const { arity } = OPERATORS[draft.operator];
  if (!isText && arity !== "none" && filter.values.some((value) => value.trim() === ""))
    return arity === "two" ? "Enter both values." : "Enter a value.";
  const [fault] = filterFaults(filter, column);
  return fault?.message;
}

/** What may be typed for a column, told inside the empty field. */
export const valueHint = (type: string): string => columnTypeOf({ type }).view.hint;
