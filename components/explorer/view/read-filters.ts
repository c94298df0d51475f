import { GROUP_FILTERS_MAX, SEARCH_MAX } from "@/lib/engine/grammar/bounds";
import { columnTypeOf } from "@/lib/engine/types/column-types";
import { isOperatorName, OPERATORS } from "@/lib/engine/types/operators";
import { filterFaults } from "./filter-values";
import { withInstants } from "./instant-filter";
import { splitParts, unpackName } from "./name-list";
import { bounded, type Reading, unknown } from "./reading";
import { resultColumns } from "./result-columns";
import type { View, ViewColumn, ViewFilter, ViewSearch } from "./view";

/** After an operator: ignore case. */
const ANY_CASE = "~";

/** A filter in a URL: `origin:eq:LAS`, `place:contains~:alaska`. */
export function readFilter(
  reading: Reading,
  text: string,
  parameter = "filter",
  columns: readonly ViewColumn[] = reading.columns,
): ViewFilter | undefined {
  const [name = "", word = "", rest] = splitParts(text, 3);
  const operator = word.endsWith(ANY_CASE) ? word.slice(0, -1) : word;
  const column = columns.find((entry) => entry.name === unpackName(name));
  const reject = (message: string) => void reading.reject(parameter, text, message);
  if (!column) {
    const names = columns.map((entry) => entry.name);
    return reject(unknown(reading, "column", unpackName(name), names));
  }
  if (!isOperatorName(operator)) return reject(unknown(reading, "operator", operator, Object.keys(OPERATORS)));
  const { arity } = OPERATORS[operator];
  const isList = arity === "many" || arity === "two";
  const values = rest === undefined ? [] : isList ? rest.split(",").map(unpackName) : [rest];
  const written: ViewFilter = {
    column: column.name,
    operator,
    values: arity === "none" ? [] : values,
    ...(word !== operator && { ignoreCase: true as const }),
  };
  const filter = columnTypeOf(column).family === "timestamp" ? withInstants(written) : written;
  const [fault] = filterFaults(filter, column);
  return fault ? reject(fault.message) : filter;
}

/** Filters over groups and results. */
export function readHaving(reading: Reading, view: View): { having?: ViewFilter[] } {
  const results = resultColumns(view, reading.columns);
  const having = bounded(reading, "having", reading.all("having"), GROUP_FILTERS_MAX).flatMap(
    (text) => readFilter(reading, text, "having", results) ?? [],
  );
  return having.length > 0 ? { having } : {};
}

export function readSearch(reading: Reading): { search?: ViewSearch } {
  const [text] = reading.all("search");
  if (!text) return {};
  const reject = (message: string) => {
    reading.reject("search", text, message);
    return {};
  };
  const strings = reading.columns.filter((column) => columnTypeOf(column).family === "text");
  if (strings.length === 0) return reject("There is no string column to search.");
  if ([...text].length > SEARCH_MAX) return reject(`A search can have at most ${SEARCH_MAX} characters.`);
  const named = reading.all("searchin").flatMap((list) => list.split(",").map(unpackName));
  const columns = named.filter((name) => strings.some((column) => column.name === name));
  for (const name of named.filter((other) => !columns.includes(other)))
    reading.reject(
      "searchin",
      name,
      unknown(
        reading,
        "string column",
        name,
        strings.map((column) => column.name),
      ),
    );
  return { search: { text, ...(columns.length > 0 && { columns: [...new Set(columns)] }) } };
}
