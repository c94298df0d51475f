import { withoutEnd } from "@/lib/kernel/trim-signs";

const base64url = (bytes: Uint8Array): string =>
  withoutEnd(btoa(String.fromCharCode(...bytes)), "=")
    .replaceAll("+", "-")
    .replaceAll("/", "_");

/** 256 random bits. */
export const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** PKCE (RFC 7636): what is sent with the code, and with the request. */
export async function newProof(): Promise<{ verifier: string; challenge: string }> {
  const verifier = randomText();
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return { verifier, challenge: base64url(new Uint8Array(digest)) };
}
