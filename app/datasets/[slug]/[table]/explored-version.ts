import "server-only";
import { namedVersion, type RefusedVersion } from "@/app/named-version";
import type { Context } from "@/lib/access/context";
import { execute } from "@/lib/operations/execute";
import { getVersion } from "@/lib/operations/get-version";
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

/** The version that a URL names, the current one if it names none, or why it cannot be read. */
export async function exploredVersion(
  dataset: Dataset,
  table: Table,
  wanted: string | string[] | undefined,
  ctx: Context,
): Promise<ExploredVersion | RefusedVersion> {
  const [name] = [wanted].flat();
  const id = await namedVersion(table.tableId, name, "?version", ctx);
  if (typeof id === "object") return id;
  if (id === undefined || id === table.version_id)
    return { columns: table.columns, rows: table.rows, bytes: table.bytes, columnsKey: table.version_id };
  const { version, columns } = await execute(getVersion, { path: { slug: dataset.slug, version_id: id } }, ctx);
  const older = { publishedAt: version.published_at };
  return { columns, rows: version.rows, bytes: version.bytes, columnsKey: id, older };
}
