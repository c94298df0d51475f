import type { ViewFilter } from "./view";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2}(?:\.\d{1,6})?)?(?: ?Z| UTC)?$/i;

const DAY_START = "T00:00:00Z";
const DAY_END = "T23:59:59.999999Z";

/** Which end of a day an operator refers to: "after a day" means after its end. */
const ENDS: Readonly<Partial<Record<ViewFilter["operator"], readonly string[]>>> = {
  gt: [DAY_END],
  gte: [DAY_START],
  lt: [DAY_START],
  lte: [DAY_END],
  between: [DAY_START, DAY_END],
};

/**
 * Converts what people type for a column of instants to what the service accepts: a time as the grid shows it
 * (`2018-02-05 01:00`, in UTC), or a date, which means the entire day. Anything else is returned unchanged.
 */
export function withInstants(filter: ViewFilter): ViewFilter {
  const { operator, values } = filter;
  const [day] = values;
  if (operator === "eq" && day !== undefined && DAY.test(day.trim()))
    return { ...filter, operator: "between", values: [`${day.trim()}${DAY_START}`, `${day.trim()}${DAY_END}`] };
  return { ...filter, values: values.map((value, at) => instant(value.trim(), ENDS[operator]?.[at]) ?? value) };
}

function instant(text: string, end: string | undefined): string | undefined {
  if (DAY.test(text)) return end && `${text}${end}`;
  const [, day, minute, second] = INSTANT.exec(text) ?? [];
  return day && `${day}T${minute}${second ?? ":00"}Z`;
}
