import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/** Hex SHA-256 of a file. */
export async function fileDigest(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest("hex");
}

/** Hex SHA-256 of a sequence of digests. */
export const joinedDigest = (digests: readonly string[]): string =>
  createHash("sha256").update(digests.join("\n")).digest("hex");
