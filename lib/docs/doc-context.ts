import "server-only";
import type { Context } from "@/lib/access/context";
import { env } from "@/lib/kernel/env";
import { execute } from "@/lib/operations/execute";
import { listVersions } from "@/lib/operations/list-versions";
import { searchDatasets } from "@/lib/operations/search-datasets";
import type { DocContext } from "./doc";
import { VERSIONED } from "./samples/sample";

/** What the docs know about this service: its URL, its settings, the ids of the tables in examples. */
export async function docContextOf(ctx: Context): Promise<DocContext> {
  const { datasets } = await execute(searchDatasets, { query: { limit: 100 } }, ctx);
  const tableIds = new Map(
    datasets.flatMap(({ slug, tables }) => tables.slice(0, 1).map(({ tableId }) => [slug, tableId] as const)),
  );
  return {
    place: { base: ctx.baseUrl, tableIds, versionIds: await versionIdsOf(tableIds.get(VERSIONED), ctx) },
    settings: env(),
  };
}

async function versionIdsOf(tableId: string | undefined, ctx: Context): Promise<string[]> {
  if (tableId === undefined) return [];
  return (await execute(listVersions, { path: { table_id: tableId } }, ctx)).versions.map(
    ({ version_id }) => version_id,
  );
}
