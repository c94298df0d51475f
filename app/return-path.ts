import { safeCallback } from "@/lib/http/same-origin";

/** Sign-in pages and the account's own, which the default target leads to anyway. */
const NOWHERE = /^\/(?:sign-in|sign-up|forgot-password|reset-password|verify-email|invitation|settings)(?:[/?#]|$)/;

/**
 * The page of ours that a reader came from, by the browser's Referer header: sign-in returns there. Undefined if there
 * is none, or none worth returning to.
 */
export function returnPath(referrer: string | null, origin: string): string | undefined {
  if (!referrer?.startsWith(`${origin}/`)) return undefined;
  const path = safeCallback(referrer, origin);
  return NOWHERE.test(path) ? undefined : path;
}
