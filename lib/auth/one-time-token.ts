import { createHmac, randomBytes } from "node:crypto";
import { derivedKey } from "@/lib/storage/secret";

const FORM = /^[A-Za-z0-9_-]{43}$/;

/** A token for a link: 256 random bits in base64url. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/**
 * What is stored of a token: HMAC-SHA-256 under the server's secret; undefined if the text does not have the form of
 * one.
 */
export function tokenHash(token: string): Uint8Array<ArrayBuffer> | undefined {
  if (!FORM.test(token)) return undefined;
  return new Uint8Array(createHmac("sha256", derivedKey("one-time-tokens")).update(token).digest());
}
