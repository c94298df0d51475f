import { readingFor } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { keyedHash } from "@/lib/storage/secret";
import { inBackground } from "@/lib/store/background";
import { recordDownload } from "@/lib/store/readings";
import type { TableVersion } from "@/lib/store/tables";
import { noteUsage } from "./note-usage";

/**
 * One receipt a completed 200; a failure to write it is the operator's concern, not the reader's. `path` is the address
 * that was read.
 */
export function noteDownload(version: TableVersion, path: string, ctx: Context): void {
  noteUsage(ctx, version, { queries: 0, downloads: 1, rows: 0, bytes: version.bytes });
  const keyHash = keyedHash("downloads", readingFor(ctx)?.credentialId ?? "");
  const pathHash = keyedHash("downloads", path);
  const receipt = {
    versionId: version.versionId,
    digest: version.digest,
    bytes: version.bytes,
    at: ctx.now(),
    keyHash,
    pathHash,
  };
  inBackground(recordDownload(receipt), ctx.onBackgroundError);
}
