import { createHmac } from "node:crypto";
import { type FileHandle, open, readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { digestOfFile } from "./hash-threads";
import { copiesDir } from "./paths";
import { derivedKey } from "./secret";

/**
 * Proof that this service built a read copy from the Parquet file with that digest: an HMAC over the copy's bytes, 64
 * hex digits. The hashing runs on a hash thread.
 */
export async function proveCopy(path: string, digest: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    return createHmac("sha256", derivedKey("copies"))
      .update(`${await hashed(file, size)} ${digest}`)
      .digest("hex");
  } finally {
    await file.close();
  }
}

const hashed = (file: FileHandle, size: number): Promise<string> =>
  digestOfFile(file.fd, size, new AbortController().signal);

/** Digests of the read copies whose bytes differ from what this service wrote. Each is rebuilt at its next use. */
export async function listUnprovenCopies(): Promise<string[]> {
  const names = await readdir(copiesDir()).catch(() => []);
  const unproven: string[] = [];
  for (const name of names.filter((entry) => /^[0-9a-f]{64}\.duckdb$/.test(entry))) {
    const [path, digest] = [join(copiesDir(), name), basename(name, ".duckdb")];
    const proof = await readFile(`${path}.proof`, "utf8").catch(() => "");
    if (proof !== (await proveCopy(path, digest).catch(() => undefined))) unproven.push(digest);
  }
  return unproven;
}
