/** What one cell looks like, before its column is known. */
export type CellKind = "blank" | "null_token" | "boolean" | "number" | "date" | "text";

const NULL_TOKENS = new Set([
  ...["NA", "n/a", "N/A", "NULL", "null", "None", "-", "–", "—", ".", "..", "…", "x", "X", "*", "#N/A", "NaN"],
]);
const BOOLEANS = new Set(["true", "false", "yes", "no"]);
const NUMBER = /^[-+(]?[€$£]?\d{1,30}(?:[.,'\u00a0\u202f ]\d{1,30}){0,10}\)?-?[%€]?$/;
const DATE = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[-+]\d{2}:?\d{2})?)?$/;
const CHARACTERS_MAX = 100;

export function cellKind(cell: string): CellKind {
  const text = cell.trim();
  if (text === "") return "blank";
  if (NULL_TOKENS.has(text)) return "null_token";
  if (text.length > CHARACTERS_MAX) return "text";
  if (BOOLEANS.has(text.toLowerCase())) return "boolean";
  if (DATE.test(text)) return "date";
  return NUMBER.test(text) ? "number" : "text";
}

/** Whether a cell has a typed value, neither missing nor plain text. */
export const isTyped = (cell: string): boolean => ["number", "date", "boolean"].includes(cellKind(cell));
