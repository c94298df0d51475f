import type { Change } from "@/lib/schemas/table";
import { blobSize, hashFile, storeBlob } from "@/lib/storage/blobs";
import { blobPath } from "@/lib/storage/paths";
import type { CurrentVersion } from "@/lib/store/versions";
import { changeBetween } from "./change";
import type { SealedFile } from "./seal";
import type { Workbench } from "./workbench";

/**
 * What a sealed file changes; undefined where its content is the current version's.
 * Against a current version whose blob is lost or damaged nothing can be compared: equal bytes mend it, others restate
 * it.
 */
export async function changeSince(
  bench: Workbench,
  current: CurrentVersion,
  sealed: SealedFile,
): Promise<Change | undefined> {
  const { digest } = await hashFile(sealed.path);
  if (digest === current.digest) {
    await storeBlob(sealed.path);
    return undefined;
  }
  if ((await blobSize(current.digest)) !== current.bytes) return "restated";
  return await changeBetween(bench, { ...current, path: blobPath(current.digest) }, sealed);
}
