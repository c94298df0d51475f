import type { Session } from "@/lib/engine/duckdb/engine";
import { CELL_BYTES_MAX } from "@/lib/engine/grammar/bounds";
import type { CellPlan } from "@/lib/engine/plan/planned";
import { cellPartSql } from "@/lib/engine/sql/cell-part-sql";
import type { Source } from "@/lib/engine/sql/sql";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import { failWith } from "@/lib/kernel/errors";

/** One part of a cell. Counts are of characters (Unicode code points); a missing cell has none. */
export interface CellPart {
  chars: number;
  offset: number;
  /** Where the next part begins; null after the last one. */
  nextOffset: number | null;
}

/** A part of at most 48 KiB as the row of a reply. Throws unless the filters match exactly one row. */
export async function readCell(
  session: Session,
  source: Source,
  columns: readonly EngineColumn[],
  plan: CellPlan,
  bytesMax: number,
): Promise<{ json: Uint8Array; cell: CellPart }> {
  const rows = await session.all(cellPartSql(plan, source));
  const [row] = rows;
  if (!row || rows.length > 1) throw notOneRow(rows.length);
  const chars = Number(row[1] ?? 0);
  if (plan.offset > chars) throw beyondEnd(plan.offset, chars);
  const key = JSON.stringify(columns[plan.column]?.name);
  const room = Math.min(CELL_BYTES_MAX, bytesMax - Buffer.byteLength(key) - BRACES);
  const part = typeof row[0] === "string" ? headOf(row[0], room) : null;
  const end = plan.offset + (part?.chars ?? 0);
  return {
    json: Buffer.from(`{${key}:${part ? JSON.stringify(part.text) : "null"}}`),
    cell: { chars, offset: plan.offset, nextOffset: end < chars ? end : null },
  };
}

const BRACES = '{:"""}'.length;

/** The longest start of a string whose JSON, without quotes, fits the given room; at least one character. */
function headOf(text: string, room: number): { text: string; chars: number } {
  let [length, chars, bytes] = [0, 0, 0];
  for (const character of text) {
    bytes += Buffer.byteLength(JSON.stringify(character)) - 2;
    if (bytes > room && chars > 0) break;
    length += character.length;
    chars += 1;
  }
  return { text: text.slice(0, length), chars };
}

const notOneRow = (rows: number) =>
  failWith([
    {
      pointer: "/cell",
      code: "invalid_request",
      message:
        `${rows === 0 ? "No row matches" : "More than one row matches"} the filters. ` +
        "To read a cell, the filters must match exactly one.",
    },
  ]);

const beyondEnd = (offset: number, chars: number) =>
  failWith([
    {
      pointer: "/cell/offset",
      code: "invalid_offset",
      message: `Offset beyond the end: ${offset}. The cell has ${chars} characters.`,
    },
  ]);
