import type { ViewFilter } from "./view";

/** Whether a view's filters choose this value of a column, on its own or among others. */
export const isChosenValue = (filters: readonly ViewFilter[], column: string, value: string): boolean =>
  filters.some(
    (filter) =>
      filter.column === column &&
      (filter.operator === "eq" || filter.operator === "in") &&
      filter.values.includes(value),
  );
