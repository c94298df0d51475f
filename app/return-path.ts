import { safeCallback } from "@/lib/http/same-origin";

/** Pages on the way in, and the account's own, which the usual way leads to anyway. */
const NOWHERE = /^\/(?:sign-in|sign-up|forgot-password|reset-password|verify-email|invitation|settings)(?:[/?#]|$)/;

/**
 * The page of ours that a reader came from, by the browser's Referer header: signing in returns there. Undefined where
 * it names none, or none worth a return.
 */
export function returnPath(referrer: string | null, origin: string): string | undefined {
  if (!referrer?.startsWith(`${origin}/`)) return undefined;
  const path = safeCallback(referrer, origin);
  return NOWHERE.test(path) ? undefined : path;
}
