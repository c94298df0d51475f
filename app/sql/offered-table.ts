import "server-only";
import { exploredVersion } from "@/app/datasets/[slug]/[table]/explored-version";
import { findTable } from "@/app/datasets/[slug]/[table]/find-table";
import type { NamedTable } from "@/components/sql/sql-address";
import type { OfferedTable } from "@/components/sql/sql-page";
import { browserTable, tableSegment } from "@/lib/describe/links";
import { formatDay } from "@/lib/kernel/format";
import { describeSqlTable } from "@/lib/operations/describe-sql-table";
import { execute } from "@/lib/operations/execute";
import { getCitation } from "@/lib/operations/get-citation";

/** A table as the page for SQL offers it, or why it cannot. `workspaceId` is the person's own. */
export async function offeredTable(named: NamedTable, workspaceId: string): Promise<OfferedTable | string> {
  const found = await findTable(named);
  if (!found) return `There is no table ${named.slug}/${named.table} that you may read.`;
  const { dataset, table, ctx, owner } = found;
  const explored = await exploredVersion(dataset, table, { version: named.version }, ctx);
  if ("status" in explored) return `${named.slug}/${named.table}: ${explored.message}`;
  const path = { slug: dataset.slug, version_id: explored.id };
  const [version, citation] = await Promise.all([
    execute(describeSqlTable, { path }, ctx),
    execute(getCitation, { path: { slug: dataset.slug }, query: { version_id: explored.id } }, ctx),
  ]);
  const { label, published_at } = version;
  const segment = tableSegment(table.slug);
  const file = browserTable("", owner?.id ?? workspaceId, table.tableId, "current");
  return {
    name: named.name,
    tableId: table.tableId,
    title: dataset.tables.length > 1 ? `${table.name}, ${dataset.title}` : dataset.title,
    named: { ...named, table: segment, version: explored.id },
    explorer: `/datasets/${dataset.slug}/${segment}${explored.older ? `?version=${explored.id}` : ""}`,
    versionText: `${explored.older ? "older version" : "version"} ${label ?? `of ${formatDay(published_at)}`}`,
    isOlder: explored.older !== undefined,
    isPrivate: owner !== undefined,
    citation: citation.text,
    rows: version.rows,
    columns: version.columns,
    file: { url: `${file}?version_id=${explored.id}`, bytes: version.bytes, sha256: version.sha256 },
  };
}
