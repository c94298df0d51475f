import { type DocContent, h2, list, name, names, note, samples, table, text } from "@/lib/docs/doc";
import { AS_TEXT, EXACT } from "@/lib/docs/samples/values";
import type { ColumnType } from "@/lib/engine/types/column-type";
import { functionsFor, operatorsFor, typeExamples } from "@/lib/engine/types/column-types";

export const types: DocContent = () => [
  text(
    "Every column has one of these types. The form of a value is decided by its column’s type, never by the " +
      "value, so a program need look but once.",
  ),
  h2("types", "Column types"),
  table("Column types", ["Type", "As JSON", "Form", "Example"], typeExamples().map(typeRow)),
  text(
    "Parameters: `decimal(p,s)` has p digits, 1 to 38, of which s stand after the point; `list<T>` takes any " +
      "type for T.",
  ),
  h2("null", "Null"),
  text(
    "A missing value is always there as `null`, never left out. In filters only `is_null` and `is_not_null` " +
      "meet it; in any order it comes last; in groups it is a group of its own. In CSV null is an empty cell, " +
      'the empty string `""`.',
  ),
  h2("digits", "Exact digits"),
  text(
    "Numbers of filters are read from the digits that you send: `0.1` on a decimal column and " +
      "`9007199254740993` on an `int64` column compare exactly, and a number that the type cannot hold equals " +
      "nothing.",
  ),
  samples("Exact digits", EXACT),
  text(
    'JavaScript and others read JSON numbers as doubles and round those beyond 53 bits. Send `"int64": ' +
      '"string"` in the query, and `int64`, `uint64` and decimal values come as text.',
  ),
  samples("Wide numbers as text", AS_TEXT),
  h2("families", "What each type takes"),
  text("The schema of a table says the same for each of its columns."),
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
    "The schema holds a profile of each column, always over all rows: nulls, distinct values, range, mean, " +
      "quantiles, the commonest values, a histogram; those that fit the type.",
    "Values in profiles are in the column’s own JSON form.",
  ),
];

const typeRow = ({ name: type, json, words }: ColumnType): string[] => [
  name(type),
  json.kind,
  words.form,
  name(words.example),
];
