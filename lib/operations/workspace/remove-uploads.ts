import { blobStore } from "@/lib/storage/blob-store";
import { withBlobsLock } from "@/lib/store/datasets/versions";
import { unnamedDigests } from "@/lib/store/runs/artifacts";
import { uploadDigests } from "@/lib/store/sources/uploads";

/** Deletes workspaces, by `remove`, and then the bytes of their uploads that nothing else names. */
export function withTheirUploads<T>(workspaceIds: readonly string[], remove: () => Promise<T>): Promise<T> {
  return withBlobsLock(async () => {
    const digests = await uploadDigests(workspaceIds);
    const removed = await remove();
    for (const digest of await unnamedDigests(digests)) await blobStore().remove(digest);
    return removed;
  });
}
