import { blobBytes } from "@/lib/engine/duckdb/duckdb";
import type { Caller, Engine } from "@/lib/engine/duckdb/engine";
import { readSource } from "@/lib/engine/duckdb/source";
import { previewSql, type RowSpan } from "@/lib/engine/sql/preview-sql";
import type { SealedVersion } from "./sealed-version";

export interface Preview {
  /** A JSON array of row objects. */
  rowsJson: Uint8Array;
  columns: { name: string; type: string }[];
  rows: number;
  /** Cells that were cut. */
  truncatedCells: { row: number; column: string }[];
}

/**
 * Rows of a version in its stored order; none beyond the last row. Long cells are cut: strings and base64 at 1,000
 * characters or the length given by the span; json, lists and structs become the start of their JSON text.
 */
export async function runPreview(
  engine: Engine,
  version: SealedVersion,
  span: RowSpan,
  caller?: Caller,
): Promise<Preview> {
  const columns = version.columns.map(({ name, type }) => ({ name, type }));
  return await engine.run(
    (session) =>
      readSource(engine, version, async (source) => {
        const [row] = await session.all(previewSql(version.columns, source, span), source.kind === "copy");
        const marks = typeof row?.[1] === "string" ? row[1].split(",") : [];
        const truncatedCells = marks.flatMap((mark, at) =>
          columns.flatMap(({ name }, index) => (mark[index] === "1" ? [{ row: at, column: name }] : [])),
        );
        return { rowsJson: blobBytes(row?.[0]), columns, rows: marks.length, truncatedCells };
      }),
    caller,
  );
}
