import { readingFor } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { keyedHash } from "@/lib/storage/secret";
import { inBackground } from "@/lib/store/background";
import type { TableVersion } from "@/lib/store/datasets/tables";
import { recordDownload } from "@/lib/store/usage/readings";
import { recordUsage } from "./record-usage";

/** What a receipt says about what was read. */
type Read = Pick<TableVersion, "tableId" | "versionId" | "digest" | "bytes">;

/**
 * One receipt per completed 200; a failure to write it concerns the administrator, not the reader. `path` is the path
 * that was read.
 */
export function recordFileDownload(version: Read, path: string, ctx: Context): void {
  recordUsage(ctx, version, { queries: 0, downloads: 1, rows: 0, bytes: version.bytes });
  record(version, path, ctx);
}

/**
 * Records the bytes sent of a range; if they complete a whole file among the key's ranges, writes a receipt as for a
 * download.
 */
export function recordRange(
  version: TableVersion,
  path: string,
  { bytes, complete, isFile }: { bytes: number; complete: boolean; isFile: boolean },
  ctx: Context,
): void {
  const isDownload = isFile && complete;
  if (bytes > 0) recordUsage(ctx, version, { queries: 0, downloads: isDownload ? 1 : 0, rows: 0, bytes });
  if (isDownload) record(version, path, ctx);
}

function record(version: Read, path: string, ctx: Context): void {
  const receipt = {
    versionId: version.versionId,
    digest: version.digest,
    bytes: version.bytes,
    at: ctx.now(),
    keyHash: keyedHash("downloads", readingFor(ctx)?.credentialId ?? ""),
    pathHash: keyedHash("downloads", path),
  };
  inBackground(recordDownload(receipt), ctx.onBackgroundError);
}
