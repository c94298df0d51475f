import { isUuid } from "@/lib/kernel/uuid";
import type { DatasetRecord } from "@/lib/store/catalogue/catalogue";
import { findPublishedVersion, type PublishedVersion } from "@/lib/store/datasets/tables";
import { listVersionNames } from "@/lib/store/datasets/version-names";
import { rejectWithdrawn } from "./locate-table";
import { type Pointer, unknownVersion, versionNamed } from "./resolve-version";

/**
 * A version of any table of a located dataset, by its id, its label or its number; `pointer` says where the request
 * names it. Rejects with not_found, version_withdrawn, or invalid_value for a name that versions of several tables
 * share.
 */
export async function locateDatasetVersion(
  record: DatasetRecord,
  name: string,
  pointer: Pointer,
): Promise<PublishedVersion> {
  const id = isUuid(name) ? name : versionNamed(await namesIn(record), name, pointer).versionId;
  const version = await findPublishedVersion(record.id, id);
  if (!version) throw unknownVersion(await namesIn(record), name, pointer);
  rejectWithdrawn(version);
  return version;
}

const namesIn = ({ id }: DatasetRecord) => listVersionNames({ datasetId: id });
