import { safeCallback } from "@/lib/http/same-origin";

/** Sign-in pages and the account's page, which the default target leads to anyway. */
const NOWHERE = /^\/(?:sign-in|sign-up|forgot-password|reset-password|verify-email|invitation|settings)(?:[/?#]|$)/;

/**
 * The page of this site that a reader came from, by the Referer header, to return to after sign-in. Undefined if there
 * is none worth returning to.
 */
export function returnPath(referrer: string | null, origin: string): string | undefined {
  if (!referrer?.startsWith(`${origin}/`)) return undefined;
  const path = safeCallback(referrer, origin);
  return NOWHERE.test(path) ? undefined : path;
}
