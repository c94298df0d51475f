import "server-only";
import { namedVersion, type RefusedVersion } from "@/app/named-version";
import type { SearchParams } from "@/app/search-params";
import type { Context } from "@/lib/access/context";
import { execute } from "@/lib/operations/execute";
import { getVersion } from "@/lib/operations/get-version";
import type { Column } from "@/lib/schemas/column";
import type { Dataset } from "@/lib/schemas/dataset";

type Table = Dataset["tables"][number];
type Parameters = Awaited<SearchParams>;

const firstOf = (value: string | string[] | undefined): string | undefined => [value].flat()[0];

/** What is known about the version that a page explores. */
export interface ExploredVersion {
  id: string;
  columns: readonly Column[];
  rows: number;
  bytes: number;
  /** Absent for the current version. */
  older?: { label: string | null; publishedAt: string };
}

/**
 * The version that a URL names (`version`) or that was current at a time (`as_of`), the current one without either, or
 * why it cannot be read.
 */
export async function exploredVersion(
  dataset: Dataset,
  table: Table,
  { version: name, as_of: asOf }: Parameters,
  ctx: Context,
): Promise<ExploredVersion | RefusedVersion> {
  const id = await namedVersion(table.tableId, firstOf(name), "?version", ctx, firstOf(asOf));
  if (typeof id === "object") return id;
  if (id === undefined || id === table.version_id)
    return { id: table.version_id, columns: table.columns, rows: table.rows, bytes: table.bytes };
  const { version, columns } = await execute(getVersion, { path: { slug: dataset.slug, version_id: id } }, ctx);
  const older = { label: version.label, publishedAt: version.published_at };
  return { id, columns, rows: version.rows, bytes: version.bytes, older };
}
