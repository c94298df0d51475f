/** Words that YAML, or a person reading it, may take for something other than a string. */
const RESERVED_WORDS = new Set(["true", "false", "null"]);
const PLAIN = /^[A-Za-z_/][\w/.-]*$/;

const text = (value: string): string =>
  PLAIN.test(value) && !RESERVED_WORDS.has(value.toLowerCase()) ? value : JSON.stringify(value);

/** A plain value in one line of YAML, with quotes only where they are needed. */
export function oneLine(value: unknown): string {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .map(([key, each]) => `${text(key)}: ${oneLine(each)}`)
      .join(", ")}}`;
  return JSON.stringify(value) ?? "null";
}
