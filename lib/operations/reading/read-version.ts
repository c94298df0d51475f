import type { SealedVersion } from "@/lib/engine/run/sealed-version";
import { copyPath } from "@/lib/storage/paths";
import { withProvenPath } from "@/lib/storage/read-blob";
import { distinctCountsOf, type TableVersion } from "@/lib/store/datasets/tables";

/** What the engine needs to know about a version to look columns up in others while it reads it. */
export const sealedVersions = (version: TableVersion, lookups: readonly TableVersion[]): SealedVersion => ({
  ...sealedVersion(version),
  ...(lookups.length > 0 && { lookups: lookups.map(sealedVersion) }),
});

/** What the engine needs to know about a version to read it. */
export function sealedVersion(version: TableVersion): SealedVersion {
  return {
    tableId: version.tableId,
    versionId: version.versionId,
    digest: version.digest,
    publishedAt: version.publishedAt.toISOString(),
    rows: version.rows,
    columns: version.columns,
    orderBy: version.orderBy,
    primaryKey: version.primaryKey,
    distinctCounts: () => distinctCountsOf(version.versionId),
    withParquet: (read) => withProvenPath(version, read),
    copyPath: copyPath(version.digest),
  };
}
