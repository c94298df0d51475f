import { AGGREGATES_MAX, GROUP_FILTERS_MAX } from "@/lib/engine/grammar/bounds";
import { AGGREGATES, isAggregateName } from "@/lib/engine/types/aggregates";
import { functionsFor } from "@/lib/engine/types/column-types";
import { splitParts, unpackName } from "./name-list";
import { readFilter } from "./read-filters";
import { ALIAS, bounded, namesOf, type Reading, unknown } from "./reading";
import type { ViewAggregate, ViewFilter } from "./view";

/** The results in a URL: `avg:delay:mean`, `quantile@0.9:delay:p90`; their filters as `aggfilter`. */
export function readAggregates(reading: Reading, groups: readonly string[]): ViewAggregate[] {
  const taken = new Set(groups.map((name) => name.toLowerCase()));
  return bounded(reading, "agg", reading.all("agg"), AGGREGATES_MAX).flatMap((text) => {
    const [word = "", column = "", alias = ""] = splitParts(text, 3);
    const [name = "", at] = word.split("@");
    const filters = readOwnFilters(reading, alias);
    const message =
      aggregateFault(reading, name, unpackName(column), alias, taken) ?? needsFault(name, at, filters.length);
    if (message) reading.reject("agg", text, message);
    if (message || !isAggregateName(name)) return [];
    taken.add(alias.toLowerCase());
    return [
      {
        function: name,
        alias,
        ...(AGGREGATES[name].arity > 0 && { column: unpackName(column) }),
        ...(filters.length > 0 && { filters }),
        ...(at !== undefined && { at }),
      },
    ];
  });
}

function aggregateFault(
  reading: Reading,
  name: string,
  columnName: string,
  alias: string,
  taken: ReadonlySet<string>,
): string | undefined {
  if (!isAggregateName(name)) return unknown(reading, "function", name, Object.keys(AGGREGATES));
  if (!ALIAS.test(alias))
    return "A result’s name must be 1 to 63 letters, digits and underscores, not starting with a digit.";
  if (taken.has(alias.toLowerCase())) return `${JSON.stringify(alias)} is already used as a result column.`;
  if (AGGREGATES[name].arity === 0) return columnName === "" ? undefined : `${name} does not take a column.`;
  const column = reading.columns.find((entry) => entry.name === columnName);
  if (!column) return unknown(reading, "column", columnName, namesOf(reading));
  return functionsFor(column.type).includes(name)
    ? undefined
    : `${name} does not apply to ${JSON.stringify(columnName)}, which is of type ${column.type}.`;
}

/** The filters of the result with that name: `late:delay:gt:15`. */
function readOwnFilters(reading: Reading, alias: string): ViewFilter[] {
  const texts = reading.all("aggfilter").filter((text) => alias !== "" && text.startsWith(`${alias}:`));
  return bounded(reading, "aggfilter", texts, GROUP_FILTERS_MAX).flatMap(
    (text) => readFilter(reading, text.slice(alias.length + 1), "aggfilter") ?? [],
  );
}

/** Which of `filters` and `at` a function lacks or does not take. */
function needsFault(name: string, at: string | undefined, filters: number): string | undefined {
  if (!isAggregateName(name)) return undefined;
  const { needs } = AGGREGATES[name];
  if (needs === "filters" && filters === 0) return `${name} requires filters.`;
  if (needs !== "at") return at === undefined ? undefined : `${name} does not take at.`;
  return isShare(at) ? undefined : `${name} requires at, a number from 0 to 1.`;
}

/** Whether a string is a number from 0 to 1. */
export const isShare = (at: string | undefined): boolean =>
  at !== undefined && /^\d{1,20}(\.\d{1,20})?$/.test(at) && Number(at) <= 1;
