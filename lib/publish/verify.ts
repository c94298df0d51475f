import { blobStore } from "@/lib/storage/blob-store";
import { hashAndClose } from "@/lib/storage/blobs";
import { listUnprovenCopies } from "@/lib/storage/copy-proof";
import { listDigests } from "@/lib/store/datasets/versions";

export interface BadBlob {
  digest: string;
  problem: "missing" | "damaged";
}

export interface Verification {
  /** How many blobs were hashed. */
  blobs: number;
  bytes: number;
  bad: BadBlob[];
  /**
   * Digests of the blobs whose read copies are not this service's, such as those of an earlier one. They are never
   * read: each is rebuilt at its next use.
   */
  staleCopies: string[];
}

/**
 * Hashes every blob and read copy again, and checks that every blob named by a version exists. No problem was found if
 * `bad` is empty.
 */
export async function verifyBlobs(): Promise<Verification> {
  const store = blobStore();
  const bad: BadBlob[] = [];
  let [blobs, bytes] = [0, 0];
  for await (const { digest } of store.list()) {
    const found = await hashAndClose(await store.open(digest));
    blobs += 1;
    bytes += found.bytes;
    if (found.digest !== digest) bad.push({ digest, problem: "damaged" });
  }
  for (const { digest } of await listDigests()) {
    if ((await store.stat(digest)) === undefined) bad.push({ digest, problem: "missing" });
  }
  return { blobs, bytes, bad, staleCopies: await listUnprovenCopies() };
}
