import { createHmac, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

export const KEY_KINDS = ["use", "live", "cli"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 40;
const CHECK_LENGTH = 6;
const FORM = /^svc_(use|live|cli)_([0-9A-Za-z]{46})$/;

/** A new key: `svc_<kind>_`, 40 random base62 characters (238 bits), and their CRC-32 in 6. */
export function newKey(kind: KeyKind): string {
  const random = randomBase62(RANDOM_LENGTH);
  return `svc_${kind}_${random}${checksum(random)}`;
}

/** The kind of a well-formed key whose checksum holds; undefined for anything else, so that a typing error costs no look-up. */
export function keyKindOf(text: string): KeyKind | undefined {
  const match = FORM.exec(text);
  const body = match?.[2];
  if (!body || checksum(body.slice(0, RANDOM_LENGTH)) !== body.slice(RANDOM_LENGTH)) return undefined;
  return match?.[1] as KeyKind;
}

/** What is stored of a key: HMAC-SHA-256 under the server's secret. */
export function keyHash(key: string, secret: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHmac("sha256", secret).update(key).digest());
}

/** The parts of a key that may be shown again: the first and last four characters behind the prefix. */
export function keyEnds(key: string): { first4: string; last4: string } {
  const body = key.slice(key.lastIndexOf("_") + 1);
  return { first4: body.slice(0, 4), last4: body.slice(-4) };
}

/** Uniform: bytes of 248 and more are thrown away, since 248 is the largest multiple of 62 in a byte. */
function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += DIGITS[byte % 62];
  return text;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < CHECK_LENGTH; i++) {
    digits = DIGITS[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
