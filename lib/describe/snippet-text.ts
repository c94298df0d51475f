/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** One POSIX shell word, whatever the string contains. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A Python literal of a JSON value: strings keep their letters; escapes are those that JSON and Python share. */
export function pythonLiteral(value: Json): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${pythonLiteral(item)}`);
  return `{${entries.join(", ")}}`;
}

/** JSON with a space after each comma and colon, one key of the outermost object per line. */
export function jsonLines(value: { readonly [key: string]: Json }, indent = ""): string {
  const entries = Object.entries(value).map(([key, item]) => `${indent}  ${JSON.stringify(key)}: ${spaced(item)}`);
  return `{\n${entries.join(",\n")}\n${indent}}`;
}

/** The same for Python. */
export function pythonLines(value: { readonly [key: string]: Json }): string {
  const entries = Object.entries(value).map(([key, item]) => `    ${JSON.stringify(key)}: ${pythonLiteral(item)},`);
  return `{\n${entries.join("\n")}\n}`;
}

/** A quoted SQL identifier. */
export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A quoted SQL string. */
export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function spaced(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(spaced).join(", ")}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`)
    .join(", ")}}`;
}

const isList = (value: object): value is readonly Json[] => Array.isArray(value);
