import { buildReadCopy } from "@/lib/engine/duckdb/read-copy";
import { env } from "@/lib/kernel/env";
import type { PublishReceipt } from "@/lib/schemas/publish";
import { blobStore } from "@/lib/storage/blob-store";
import { proveCopy } from "@/lib/storage/copy-proof";
import { copyPath, tempDir } from "@/lib/storage/paths";
import type { PublishContext } from "./publish";

/** Builds the read copy. The version is complete without it: the engine builds one when it is first needed. */
export async function copyForReading(receipt: PublishReceipt, columns: number, ctx: PublishContext): Promise<void> {
  const { READ_COPIES_MB, QUERY_MEMORY_MB, QUERY_THREADS } = env();
  if (READ_COPIES_MB === 0) return;
  ctx.progress?.("creating the read copy");
  const digest = receipt.content_digest.slice("sha256:".length);
  const resources = { tempDir: tempDir(), memoryMb: QUERY_MEMORY_MB, threads: QUERY_THREADS };
  const copy = { copyPath: copyPath(digest), columns, proof: { digest, prove: proveCopy }, ...resources };
  await blobStore()
    .withLocalPath(digest, (parquetPath) => buildReadCopy({ ...copy, parquetPath }))
    .catch(() => undefined);
}
