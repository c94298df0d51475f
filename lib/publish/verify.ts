import { blobSize, hashFile, listBlobs } from "@/lib/storage/blobs";
import { blobPath } from "@/lib/storage/paths";
import { listDigests } from "@/lib/store/versions";

export interface BadBlob {
  digest: string;
  problem: "missing" | "damaged";
}

export interface Verification {
  /** How many blobs were hashed. */
  blobs: number;
  bytes: number;
  bad: BadBlob[];
}

/** Hashes every blob again and looks for every blob that a version names. Good when `bad` is empty. */
export async function verifyBlobs(): Promise<Verification> {
  const stored = (await listBlobs()).flatMap(({ digest }) => digest ?? []);
  const bad: BadBlob[] = [];
  let bytes = 0;
  for (const digest of stored) {
    const found = await hashFile(blobPath(digest));
    bytes += found.bytes;
    if (found.digest !== digest) bad.push({ digest, problem: "damaged" });
  }
  for (const { digest } of await listDigests()) {
    if ((await blobSize(digest)) === undefined) bad.push({ digest, problem: "missing" });
  }
  return { blobs: stored.length, bytes, bad };
}
