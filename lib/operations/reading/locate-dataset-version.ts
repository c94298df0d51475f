import { fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import type { DatasetRecord } from "@/lib/store/catalogue";
import { findPlacedVersion, type PlacedVersion } from "@/lib/store/tables";
import { listVersionNames } from "@/lib/store/version-names";
import { rejectWithdrawn } from "./locate-table";
import { type Pointer, versionNamed } from "./resolve-version";

/**
 * A version of any table of a located dataset, by its id, its label or its number; `pointer` says where the request
 * names it. Rejects with not_found, version_withdrawn, or invalid_value for a name that versions of several tables
 * share.
 */
export async function locateDatasetVersion(
  record: DatasetRecord,
  name: string,
  pointer: Pointer,
): Promise<PlacedVersion> {
  const id = isUuid(name) ? name : (await namedIn(record, name, pointer)).versionId;
  const version = await findPlacedVersion(record.id, id);
  if (!version)
    throw fail("not_found", {
      message: "Unknown version for this dataset.",
      fix: "List a table's versions with GET …/versions.",
    });
  rejectWithdrawn(version);
  return version;
}

const namedIn = async (record: DatasetRecord, name: string, pointer: Pointer) =>
  versionNamed(await listVersionNames({ datasetId: record.id }), name, pointer);
