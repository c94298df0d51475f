import { type DocContent, h2, list, name, names, note, samples, table, text } from "@/lib/docs/doc";
import { AS_TEXT, EXACT } from "@/lib/docs/samples/values";
import type { ColumnType } from "@/lib/engine/types/column-type";
import { functionsFor, operatorsFor, typeExamples } from "@/lib/engine/types/column-types";

export const types: DocContent = () => [
  text(
    "Every column has one of these types. The column’s type, never the individual value, determines how values are " +
      "encoded.",
  ),
  h2("types", "Column types"),
  table("Column types", ["Type", "As JSON", "Form", "Example"], typeExamples().map(typeRow)),
  text(
    "Parameters: `decimal(p,s)` has p digits (1 to 38), s of them after the decimal point; `list<T>` takes any type T.",
  ),
  h2("null", "Null"),
  text(
    "A missing value is always present as `null`, never omitted. In filters only `is_null` and `is_not_null` " +
      "match it; it sorts last in either direction; in groups it is a group of its own. In CSV, null is an empty " +
      'cell and the empty string is `""`.',
  ),
  h2("digits", "Exact digits"),
  text(
    "Filter numbers are read from the digits that you send: `0.1` on a decimal column and `9007199254740993` " +
      "on an `int64` column compare exactly. A number that the type cannot represent equals nothing.",
  ),
  samples("Exact digits", EXACT),
  text(
    "JavaScript and some other languages parse JSON numbers as doubles and round beyond 53 bits. Send " +
      '`"int64": "string"` in the query to receive `int64`, `uint64` and decimal values as strings. Filters of such ' +
      "columns take strings too.",
  ),
  samples("Large numbers as strings", AS_TEXT),
  h2("families", "Operators and functions by type"),
  text("A table’s schema lists the same for each of its columns."),
  table(
    "Operators and functions by type",
    ["Type", "Filter operators", "Functions"],
    typeExamples().map(({ name: type }) => [
      name(type),
      names(operatorsFor(type)),
      names(functionsFor(type)) || "none",
    ]),
  ),
  note("`count` takes no column, so it works on every table."),
  h2("profiles", "Profiles"),
  list(
    "The schema includes a profile of each column over all rows: nulls, distinct values, range, mean, " +
      "quantiles, most common values and a histogram, as applicable to the type.",
    "Profile values are encoded like the column’s own values.",
  ),
];

const typeRow = ({ name: type, json, words }: ColumnType): string[] => [
  name(type),
  json.kind,
  words.form,
  name(words.example),
];
