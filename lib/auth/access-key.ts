import { createHmac, type KeyObject, randomBytes } from "node:crypto";
import { DIGITS, type KeyKind, keyChecksum, RANDOM_LENGTH } from "./key-form";

/** A new key: `svc_<kind>_`, 40 random base62 characters (238 bits), and their CRC-32 in 6. */
export function newKey(kind: KeyKind): string {
  const random = randomBase62(RANDOM_LENGTH);
  return `svc_${kind}_${random}${keyChecksum(random)}`;
}

/** The stored form of a key: HMAC-SHA-256 under the server's secret. */
export function keyHash(key: string, secret: KeyObject | Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHmac("sha256", secret).update(key).digest());
}

/** The parts of a key that may be shown again: the first and last four characters after the prefix. */
export function keyEnds(key: string): { first4: string; last4: string } {
  const body = key.slice(key.lastIndexOf("_") + 1);
  return { first4: body.slice(0, 4), last4: body.slice(-4) };
}

/** Uniform: bytes of 248 and more are discarded, because 248 is the largest multiple of 62 in a byte. */
function randomBase62(length: number): string {
  let text = "";
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += DIGITS[byte % 62];
  return text;
}
