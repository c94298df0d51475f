import { blobStore } from "@/lib/storage/blob-store";
import { hashAndClose } from "@/lib/storage/blobs";
import { listUnprovenCopies } from "@/lib/storage/copy-proof";
import { listDigests } from "@/lib/store/versions";

export interface BadBlob {
  digest: string;
  problem: "missing" | "damaged" | "read_copy_changed";
}

export interface Verification {
  /** How many blobs were hashed. */
  blobs: number;
  bytes: number;
  bad: BadBlob[];
}

/**
 * Hashes every blob and read copy again, and checks that every blob named by a version exists. No problem was found if
 * `bad` is empty. A changed read copy is never read: it is rebuilt at its next use.
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
  for (const digest of await listUnprovenCopies()) bad.push({ digest, problem: "read_copy_changed" });
  return { blobs, bytes, bad };
}
