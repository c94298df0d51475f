import { COLUMN_TYPES, parseColumnType } from "@/lib/engine/types/column-types";
import { mismatch } from "@/lib/readers/failure";
import type { ColumnNote } from "@/lib/schemas/publish";

const NAME_MAX = 200;
/** DuckDB gives these names to its own hidden columns. */
const RESERVED = new Set(["rowid", "file_row_number", "file_index", "filename"]);

/** Rejects names that a version cannot have, all faults in one message. */
export function checkNames(names: readonly string[]): void {
  if (names.length === 0) throw mismatch("The file has no columns.");
  const seen = new Map<string, number>();
  const faults = names.flatMap((name, index) => {
    const fault = faultOf(name, index, seen.get(name.toLowerCase()), names);
    seen.set(name.toLowerCase(), index);
    return fault ?? [];
  });
  if (faults.length > 0) throw mismatch(`Invalid column names: ${faults.join("; ")}. Rename them in the file.`);
}

/** What is wrong with a column name, such as `is a reserved name`. Undefined for a valid one. */
export function nameFault(name: string): string | undefined {
  if (name.trim() === "") return "is blank";
  if (name.length > NAME_MAX) return `is longer than ${NAME_MAX} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]|\p{Surrogate}/u.test(name)) return "contains a control character or line break";
  return RESERVED.has(name.toLowerCase()) ? "is a reserved name" : undefined;
}

function faultOf(
  name: string,
  index: number,
  earlier: number | undefined,
  names: readonly string[],
): string | undefined {
  if (name.trim() === "") return `column ${index + 1} has no name`;
  if (name.length > NAME_MAX) return `the name of column ${index + 1} is longer than ${NAME_MAX} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(name))
    return `the name of column ${index + 1} contains a control character or line break`;
  if (RESERVED.has(name.toLowerCase())) return `${JSON.stringify(name)} (column ${index + 1}) is a reserved name`;
  if (earlier === undefined) return undefined;
  return (
    `columns ${earlier + 1} and ${index + 1} are both ` +
    `${JSON.stringify(name)}${names[earlier] === name ? "" : " (ignoring case)"}`
  );
}

/** Rejects notes and sort keys of unknown columns, and unknown types. */
export function checkNotes(notes: readonly ColumnNote[], orderBy: readonly string[], names: readonly string[]): void {
  const known = new Set(names);
  const strange = [...notes.map((note) => note.name), ...orderBy].filter((name) => !known.has(name));
  if (strange.length > 0)
    throw mismatch(
      `Unknown column ${strange.map((name) => JSON.stringify(name)).join(", ")}. The file has ` +
        `${names.map((name) => JSON.stringify(name)).join(", ")}.`,
    );
  const twice = notes.find((note, index) => notes.findIndex((other) => other.name === note.name) !== index);
  if (twice) throw mismatch(`Duplicate description of column ${JSON.stringify(twice.name)}.`);
  const mistyped = notes.find((note) => note.type !== undefined && !parseColumnType(note.type));
  if (mistyped)
    throw mismatch(
      `Unknown type of column ${JSON.stringify(mistyped.name)}: ${JSON.stringify(mistyped.type)}. Use one ` +
        `of ${TYPES}.`,
    );
}

/** The types that can be declared for text. */
const TYPES = COLUMN_TYPES.filter(({ examples }) => examples.every(({ source }) => source.declared))
  .map(({ label }) => label.replace(" … ", " to "))
  .join(", ");
