export type KeyKind = "use" | "live" | "cli";

/** Random characters in a key; its checksum follows. */
export const RANDOM_LENGTH = 40;

const CHECK_LENGTH = 6;
const FORM = /^svc_(use|live|cli)_([0-9A-Za-z]{46})$/;

export const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * The kind of a well-formed key with a correct checksum; undefined for anything else, so a typing error costs no
 * lookup. Runs in browsers too.
 */
export function keyKindOf(text: string): KeyKind | undefined {
  const match = FORM.exec(text);
  const body = match?.[2];
  if (!body || keyChecksum(body.slice(0, RANDOM_LENGTH)) !== body.slice(RANDOM_LENGTH)) return undefined;
  return match?.[1] as KeyKind;
}

/** The CRC-32 of a key's random characters, in base62. */
export function keyChecksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < CHECK_LENGTH; i++) {
    digits = DIGITS[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Of ASCII text. Browsers have no such function. */
function crc32(text: string): number {
  let crc = ~0;
  for (const sign of text) {
    crc ^= sign.charCodeAt(0);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
  }
  return ~crc >>> 0;
}
