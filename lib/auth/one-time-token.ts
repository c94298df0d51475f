import { createHmac, randomBytes } from "node:crypto";
import { derivedKey } from "@/lib/storage/secret";

const FORM = /^[A-Za-z0-9_-]{43}$/;

/** A token for a link: 256 random bits in base64url. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/**
 * The stored form of a token: HMAC-SHA-256 under the server's secret; undefined if the text is not a well-formed token.
 */
export function tokenHash(token: string): Uint8Array<ArrayBuffer> | undefined {
  if (!FORM.test(token)) return undefined;
  return new Uint8Array(createHmac("sha256", derivedKey("one-time-tokens")).update(token).digest());
}
