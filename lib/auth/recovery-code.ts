import { createHmac, randomInt } from "node:crypto";
import { derivedKey } from "@/lib/storage/secret";

/** How many codes a person gets at a time. */
export const RECOVERY_CODES = 10;

/** Letters and digits that are not mistaken for each other; typed O, I and L count as 0 and 1. */
const SIGNS = "0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 12;
const FORM = new RegExp(`^[${SIGNS}]{${LENGTH}}$`);

/** A new recovery code: 60 random bits, such as `7k3q-x0ma-9fwt`. */
export function newRecoveryCode(): string {
  const code = Array.from({ length: LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join("");
  return `${code.slice(0, 4)}-${code.slice(4, 8)}-${code.slice(8)}`;
}

/** The stored form of a code: HMAC-SHA-256 under the server's secret; undefined if the text is not a code. */
export function recoveryCodeHash(text: string): Uint8Array<ArrayBuffer> | undefined {
  const plain = text.toLowerCase().replace(/[\s-]/g, "").replace(/o/g, "0").replace(/[il]/g, "1");
  if (!FORM.test(plain)) return undefined;
  return new Uint8Array(createHmac("sha256", derivedKey("recovery-codes")).update(plain).digest());
}
