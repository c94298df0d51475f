import { COLUMNS_MAX, SEARCH_MAX } from "@/lib/engine/grammar/bounds";
import type { QueryBody } from "@/lib/engine/grammar/grammar";
import { columnTypeOf, type EngineColumn } from "@/lib/engine/types/column-types";
import { readText } from "@/lib/engine/types/filter-value";
import { type Condition, conditionFor, type Filter } from "./conditions";
import { bounded, columnIndex, type Planning, planNames, reject } from "./planning";

/** Matches rows in which at least one of the columns, all of type string, contains the text, ignoring case. */
export interface Search {
  columns: readonly number[];
  text: string;
}

/** Filters over the columns of `planning`; their faults are collected there. */
export function planFilters(planning: Planning, filters: readonly Filter[], pointer: string): Condition[] {
  return filters.flatMap((filter, at) => {
    const path = `${pointer}/${at}`;
    const index = columnIndex(planning, filter.column, `${path}/column`);
    const column = index === undefined ? undefined : planning.columns[index];
    const condition = conditionFor(filter, path, column, index ?? -1);
    if (!Array.isArray(condition)) return [condition];
    planning.faults.push(...condition);
    return [];
  });
}

/** The search of a body, if it has one; its faults are collected in `planning`. */
export function planSearch(planning: Planning, search: QueryBody["search"]): { search?: Search } {
  if (search === undefined) return {};
  checkText(planning, search.text);
  const columns = search.columns ? namedColumns(planning, search.columns) : stringColumns(planning);
  return { search: { columns, text: search.text } };
}

function checkText(planning: Planning, text: string): void {
  const read = readText(text, "string");
  const length = [...text.slice(0, 2 * SEARCH_MAX + 2)].length;
  const message =
    "rejected" in read
      ? read.rejected
      : length === 0 || length > SEARCH_MAX
        ? `The text of a search must have 1 to ${SEARCH_MAX} characters.`
        : undefined;
  if (message) reject(planning, { pointer: "/search/text", code: "invalid_value", message });
}

function stringColumns(planning: Planning): number[] {
  const found = planning.columns.flatMap((column, at) => (isString(column) ? [at] : []));
  const message = "search needs a column of type string. This table has none.";
  if (found.length === 0) reject(planning, { pointer: "/search", code: "operator_not_applicable", message });
  return found;
}

function namedColumns(planning: Planning, requested: string[]): number[] {
  const pointer = "/search/columns";
  const names = bounded(planning, pointer, requested, COLUMNS_MAX, "too_many_values");
  const message = "Send at least one column, or omit columns to search all of them.";
  if (names.length === 0) reject(planning, { pointer, code: "invalid_value", message });
  for (const [at, name] of names.entries()) {
    const column = planning.columns[planning.indexes.get(name) ?? -1];
    if (column && !isString(column))
      reject(planning, {
        pointer: `${pointer}/${at}`,
        code: "operator_not_applicable",
        message: `search does not apply to ${JSON.stringify(name)}, which is of type ${column.type}.`,
      });
  }
  return planNames(planning, names, pointer);
}

const isString = (column: EngineColumn): boolean => columnTypeOf(column).family === "text";
