import { fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import type { DatasetRecord } from "@/lib/store/catalogue";
import { findPlacedVersion, type PlacedVersion } from "@/lib/store/tables";
import { refuseWithdrawn } from "./locate-table";

/** A version of any table of a located dataset. Refuses with not_found, or version_withdrawn. */
export async function locateDatasetVersion(record: DatasetRecord, versionId: string): Promise<PlacedVersion> {
  const version = isUuid(versionId) ? await findPlacedVersion(record.id, versionId) : undefined;
  if (!version)
    throw fail("not_found", {
      message: "Unknown version for this dataset. List a table's versions with GET …/versions.",
    });
  refuseWithdrawn(version);
  return version;
}
