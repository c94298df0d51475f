import "server-only";
import { findDatasets, readVersions } from "@/app/catalogue";
import type { Context } from "@/lib/access/context";
import { env } from "@/lib/env";
import type { DocContext } from "./doc";
import { VERSIONED } from "./samples/sample";

/** What the docs say of this service: its address, its settings, the ids of the tables that examples read. */
export async function docContextOf(ctx: Context): Promise<DocContext> {
  const { datasets } = await findDatasets({ limit: 100 }, ctx);
  const tableIds = new Map(
    datasets.flatMap(({ slug, tables }) => tables.slice(0, 1).map(({ tableId }) => [slug, tableId] as const)),
  );
  const versioned = tableIds.get(VERSIONED);
  const versions = versioned ? (await readVersions(versioned, ctx)).versions : [];
  return {
    place: { base: ctx.baseUrl, tableIds, versionIds: versions.map(({ version_id }) => version_id) },
    settings: env(),
  };
}
