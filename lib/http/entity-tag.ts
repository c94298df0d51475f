import { createHash } from "node:crypto";

/** A strong ETag for these bytes. */
export const entityTag = (bytes: Uint8Array | string): string =>
  `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 32)}"`;
