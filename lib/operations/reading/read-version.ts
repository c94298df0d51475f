import type { SealedVersion } from "@/lib/engine/run/query";
import { blobPath, copyPath } from "@/lib/storage/paths";
import type { TableVersion } from "@/lib/store/tables";

/** What the engine must know of a version to read it. */
export function sealedVersion(version: TableVersion): SealedVersion {
  return {
    tableId: version.tableId,
    versionId: version.versionId,
    digest: version.digest,
    publishedAt: version.publishedAt.toISOString(),
    rows: version.rows,
    columns: version.columns,
    orderBy: version.orderBy,
    parquetPath: blobPath(version.digest),
    copyPath: copyPath(version.digest),
  };
}
