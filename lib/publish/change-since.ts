import type { Change } from "@/lib/schemas/table";
import { blobStore } from "@/lib/storage/blob-store";
import type { CurrentVersion } from "@/lib/store/versions";
import { changeBetween } from "./change";
import type { SealedFile } from "./seal";
import type { Workbench } from "./workbench";

/**
 * What a sealed file changes. Undefined if its content equals the current version's. If the current version's blob is
 * lost or damaged, nothing can be compared: equal bytes repair it, and any others count as restated.
 */
export async function changeSince(
  bench: Workbench,
  current: CurrentVersion,
  sealed: SealedFile & { digest: string },
): Promise<Change | undefined> {
  const store = blobStore();
  if (sealed.digest === current.digest) {
    await store.put(current.digest, sealed.path);
    return undefined;
  }
  if ((await store.stat(current.digest))?.bytes !== current.bytes) return "restated";
  return await store.withLocalPath(current.digest, (path) => changeBetween(bench, { ...current, path }, sealed));
}
