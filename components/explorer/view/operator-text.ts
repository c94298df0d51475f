import { columnTypeOf, operatorsFor, parseColumnType } from "@/lib/engine/types/column-types";
import { OPERATORS, type OperatorName } from "@/lib/engine/types/operators";
import type { ViewColumn, ViewFilter } from "@/lib/view/view";

type OperatorText = Readonly<Partial<Record<OperatorName, string>>>;

const DAYS: OperatorText = { gt: "is after", gte: "is on or after", lt: "is before", lte: "is on or before" };
const INSTANTS: OperatorText = { gt: "is after", gte: "is at or after", lt: "is before", lte: "is at or before" };
const TEXTS: OperatorText = {
  gt: "sorts after",
  gte: "sorts at or after",
  lt: "sorts before",
  lte: "sorts at or before",
  contains: "contains",
};

const WORDS = { days: DAYS, instants: INSTANTS, texts: TEXTS } as const;

/** What an operator is called for a column's type: a date is after another, a number is greater. */
export function operatorText(name: OperatorName, type: string): string {
  const order = parseColumnType(type)?.view.order;
  return (order && WORDS[order][name]) ?? OPERATORS[name].english;
}

const ORDERING: ReadonlySet<string> = new Set(["gt", "gte", "lt", "lte"]);

/** The operators offered to people: the type's own, without ordering for booleans, where it is meaningless. */
export const operatorsOffered = (type: string, chosen?: OperatorName): OperatorName[] =>
  (operatorsFor(type) as OperatorName[]).filter((name) => !isTruth(type) || !ORDERING.has(name) || name === chosen);

const isTruth = (type: string): boolean => parseColumnType(type)?.view.editor === "truth";

/** Whether a filter is case-sensitive although people may not expect it to be. */
export const isCaseSensitive = ({ operator, ignore_case }: ViewFilter): boolean =>
  OPERATORS[operator].isPart === true && ignore_case !== true;

/**
 * Turns a filter on a full string into one on any part of it, ignoring case: `place is “california”` as `place contains
 * “california”`. Other filters are returned as they are.
 */
export const matchingPart = (filter: ViewFilter, columns: readonly ViewColumn[]): ViewFilter => {
  const isText = columns.some(({ name, type }) => name === filter.column && columnTypeOf({ type }).family === "text");
  return isText && filter.operator === "eq" ? { ...filter, operator: "contains", ignore_case: true } : filter;
};
