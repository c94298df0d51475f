import { createHash } from "node:crypto";

/** SHA-256 of bytes, or of a string in UTF-8, as 64 hex digits. */
export const sha256Hex = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");
