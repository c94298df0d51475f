import "server-only";
import type { Context } from "@/lib/access/context";
import { Failure } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { execute } from "@/lib/operations/execute";
import { getVersion } from "@/lib/operations/get-version";
import { listVersions } from "@/lib/operations/list-versions";
import type { Column } from "@/lib/schemas/column";
import type { Dataset } from "@/lib/schemas/dataset";

type Table = Dataset["tables"][number];

/** What is known about the version that a page explores. */
export interface ExploredVersion {
  columns: readonly Column[];
  rows: number;
  bytes: number;
  /** Changes whenever the columns may have changed. */
  columnsKey: string;
  /** Absent for the current version. */
  older?: { publishedAt: string };
}

/** The version in a URL. If it is not one of this table's, the current one; the query then reports the error. */
export async function exploredVersion(
  dataset: Dataset,
  table: Table,
  wanted: string | string[] | undefined,
  ctx: Context,
): Promise<ExploredVersion> {
  const current = { columns: table.columns, rows: table.rows, bytes: table.bytes, columnsKey: table.version_id };
  try {
    const id = typeof wanted === "string" ? await idOf(table, wanted, ctx) : undefined;
    if (!id || id === table.version_id) return current;
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

/** The id of the version in a URL, given by id, label or number. */
async function idOf(table: Table, name: string, ctx: Context): Promise<string | undefined> {
  if (isUuid(name)) return name.toLowerCase();
  const { versions } = await execute(listVersions, { path: { table_id: table.tableId } }, ctx);
  return versions.find(({ label, other_labels, number }) => [label, ...other_labels, String(number)].includes(name))
    ?.version_id;
}
