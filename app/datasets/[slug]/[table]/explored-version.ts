import "server-only";
import type { Context } from "@/lib/access/context";
import { Failure } from "@/lib/kernel/errors";
import { execute } from "@/lib/operations/execute";
import { getVersion } from "@/lib/operations/get-version";
import type { Column } from "@/lib/schemas/column";
import type { Dataset } from "@/lib/schemas/dataset";

type Table = Dataset["tables"][number];

/** What is known of the version that a page explores. */
export interface ExploredVersion {
  columns: readonly Column[];
  rows: number;
  bytes: number;
  /** Another one when the columns may be others. */
  columnsKey: string;
  /** Absent for the current version. */
  older?: { publishedAt: string };
}

/**
 * The version that an address names; the current one where it names none that this table has, which its query then
 * tells.
 */
export async function exploredVersion(
  dataset: Dataset,
  table: Table,
  wanted: string | string[] | undefined,
  ctx: Context,
): Promise<ExploredVersion> {
  const current = { columns: table.columns, rows: table.rows, bytes: table.bytes, columnsKey: table.version_id };
  const id = typeof wanted === "string" ? wanted.toLowerCase() : undefined;
  if (!id || id === table.version_id) return current;
  try {
    const {
      version,
      columns,
      table: owner,
    } = await execute(getVersion, { path: { slug: dataset.slug, version_id: id } }, ctx);
    if (owner.id !== table.tableId) return current;
    return {
      columns,
      rows: version.rows,
      bytes: version.bytes,
      columnsKey: id,
      older: { publishedAt: version.published_at },
    };
  } catch (error) {
    if (error instanceof Failure) return current;
    throw error;
  }
}
