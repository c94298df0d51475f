import { type DocContent, h2, list, name, names, note, samples, table, text } from "@/app/docs/doc";
import { AS_TEXT, EXACT } from "@/app/docs/samples/values";
import type { ColumnType } from "@/lib/engine/types/column-types";
import { columnTypeOf, functionsFor, jsonKindOf, operatorsFor, TYPE_EXAMPLES } from "@/lib/engine/types/column-types";

/** How a value of each kind of type travels. */
const FORMS: Readonly<Record<ColumnType["kind"], readonly [form: string, example: string]>> = {
  boolean: ["true or false", "true"],
  integer: ["a number with all its digits", "1"],
  float: ['the shortest number that reads back the same; `"NaN"`, `"Infinity"`, `"-Infinity"` as text', "0.1"],
  decimal: ["a number with all its digits, trailing zeros too", "315.70"],
  string: ["text", '"Torgersen"'],
  date: ["`YYYY-MM-DD`", '"2020-04-01"'],
  time: ["`hh:mm:ss`, with up to six digits after the second", '"13:45:00.5"'],
  timestamp: ["`YYYY-MM-DDThh:mm:ssZ`, UTC, with up to six digits after the second", '"2001-01-01T00:01:00Z"'],
  uuid: ["text", '"0f4b1b9e-6f0c-4c79-8f53-1b1f5a4c0a01"'],
  binary: ["base64", '"aGVsbG8="'],
  list: ["an array of values in their own form", '["us", "ci"]'],
  struct: ["an object", '{ "major": 20, "minor": 1 }'],
  json: ["the document itself", '{ "any": ["thing"] }'],
};

export const types: DocContent = () => [
  text(
    "Every column has one of these types. The form of a value is decided by its column’s type, never by the " +
      "value, so a program need look but once.",
  ),
  h2("types", "Column types"),
  table("Column types", ["Type", "As JSON", "Form", "Example"], TYPE_EXAMPLES.map(typeRow)),
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
    TYPE_EXAMPLES.map((type) => [name(type), names(operatorsFor(type)), names(functionsFor(type)) || "none"]),
  ),
  note("`count` takes no column, so it works on every table."),
  h2("profiles", "Profiles"),
  list(
    "The schema holds a profile of each column, always over all rows: nulls, distinct values, range, mean, " +
      "quantiles, the commonest values, a histogram; those that fit the type.",
    "Values in profiles are in the column’s own JSON form.",
  ),
];

function typeRow(type: string): string[] {
  const parsed = columnTypeOf({ type });
  const [form, ofKind] = FORMS[parsed.kind];
  const example = parsed.kind === "integer" ? largest(parsed) : ofKind;
  return [name(type), jsonKindOf(type), form, name(example)];
}

/** The largest number of an integer type. */
const largest = ({ bits, signed }: { bits: number; signed: boolean }): string =>
  String(2n ** BigInt(signed ? bits - 1 : bits) - 1n);
