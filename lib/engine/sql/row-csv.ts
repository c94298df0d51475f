import type { EngineColumn } from "@/lib/engine/types/column-types";
import { valueTypeOf } from "@/lib/engine/types/value-type";
import type { EncodedColumn, RowForm } from "./encode";

/** White space as JavaScript defines it. Readers may trim it at either end of a cell unless the cell is quoted. */
const SPACES =
  "\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const NEEDS_QUOTES = `'[",\\r\\n]|^[${SPACES}]|[${SPACES}]$'`;

/**
 * Lines of CSV without the last line break, in the same form as `lib/formats/text.ts` writes pages. Undefined if a
 * column's cells are JSON (lists, structs, json), which only that file can write.
 */
export function rowsAsCsv(columns: readonly EngineColumn[]): RowForm | undefined {
  const isPlain = columns.every((column) => cellCsv({ ...column, ref: "c" }) !== undefined);
  return isPlain
    ? { row: (encoded) => `concat(${encoded.map(cellCsv).join(", ',', ")})`, separator: "\r\n" }
    : undefined;
}

/** SQL of a cell; null becomes nothing in `concat`. Undefined if the cell is JSON. */
function cellCsv(column: EncodedColumn): string | undefined {
  const type = valueTypeOf(column);
  if (type.kind !== "scalar") return undefined;
  const { json } = type.type;
  const { ref } = column;
  const value = json.value?.(ref, type.storage, true) ?? ref;
  if (json.kind === "string") return json.isLong ? quoted(`CAST(${value} AS VARCHAR)`) : `CAST(${value} AS VARCHAR)`;
  if (json.kind === "number") return `trim(${json.text?.(ref, false) ?? `CAST(to_json(${value}) AS VARCHAR)`}, '"')`;
  return json.kind === "boolean" ? `CAST(${value} AS VARCHAR)` : undefined;
}

const quoted = (text: string): string =>
  `CASE WHEN ${text} = '' OR regexp_matches(${text}, ${NEEDS_QUOTES}) ` +
  `THEN concat('"', replace(${text}, '"', '""'), '"') ELSE ${text} END`;
