import type { SealedVersion } from "@/lib/engine/run/sealed-version";
import { copyPath } from "@/lib/storage/paths";
import { withProvenPath } from "@/lib/storage/read-blob";
import type { RunTable } from "@/lib/store/runs/run-tables";

/** What the engine needs to know about a table that a run made. */
export const runTableVersion = ({ digest, bytes, rows, columns, at, id }: RunTable): SealedVersion => ({
  tableId: id,
  versionId: id,
  digest,
  publishedAt: at.toISOString(),
  rows,
  columns,
  withParquet: (read) => withProvenPath({ digest, bytes }, read),
  copyPath: copyPath(digest),
});
