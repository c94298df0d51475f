import { createHmac, randomBytes } from "node:crypto";
import { derivedKey } from "@/lib/storage/secret";

const PREFIXES = {
  code: "svc_oac_",
  access: "svc_oat_",
  refresh: "svc_ort_",
  client: "svc_ocs_",
  device: "svc_odc_",
} as const;
const FORM = /^svc_o(?:ac|at|rt|cs|dc)_[A-Za-z0-9_-]{43}$/;

export type OAuthSecretKind = keyof typeof PREFIXES;

/** 256 random bits behind a prefix that logs and secret scanners recognise. */
export const newOAuthSecret = (kind: OAuthSecretKind): string =>
  `${PREFIXES[kind]}${randomBytes(32).toString("base64url")}`;

/**
 * The refresh token that replaces this one. It is derived, so a request that is sent again gets the same one and a
 * refresh token never has two successors; only the server can derive it.
 */
export function successorOf(refreshToken: string): string {
  const derived = createHmac("sha256", derivedKey("refresh-successors")).update(refreshToken);
  return `${PREFIXES.refresh}${derived.digest("base64url")}`;
}

/** Whether a string has the form of a secret of this kind. */
export const isOAuthSecret = (text: string, kind: OAuthSecretKind): boolean =>
  FORM.test(text) && text.startsWith(PREFIXES[kind]);

/** The stored form of a code, token or client secret: HMAC-SHA-256 under the server's secret. */
export const oauthHash = (secret: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHmac("sha256", derivedKey("oauth-tokens")).update(secret).digest());
