import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { derivedKey } from "@/lib/storage/secret";
import { cookiePrefix } from "./session";

const FORM = /^([A-Za-z0-9_-]{22})\.([0-9a-f]{64})$/;

/** Name of the cookie that a browser keeps for a year after somebody signed in with it. */
export const knownBrowserCookieName = (): string => `${cookiePrefix()}parquetry-known`;

/** A value that proves that this browser has signed in to this account before. It grants nothing else. */
export function knownBrowserCookie(email: string): string {
  const nonce = randomBytes(16).toString("base64url");
  return `${nonce}.${seal(nonce, email)}`;
}

/**
 * The identifier that a browser's attempts are counted under if it has signed in to this account before; undefined
 * otherwise. A stranger who uses up an account's attempts therefore does not lock its owner out (OWASP: device
 * cookies).
 */
export function knownBrowserOf(cookie: string | undefined, email: string): string | undefined {
  const [, nonce, sealed] = FORM.exec(cookie ?? "") ?? [];
  if (!nonce || !sealed || !timingSafeEqual(Buffer.from(sealed), Buffer.from(seal(nonce, email)))) return undefined;
  return nonce;
}

const seal = (nonce: string, email: string): string =>
  createHmac("sha256", derivedKey("known-browsers")).update(`${nonce} ${email}`).digest("hex");
