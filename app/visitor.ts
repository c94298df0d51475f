import "server-only";
import { safeCallback } from "@/lib/http/same-origin";
import { pageContext } from "./context";

const AFTERWARDS = "/settings/access";

/** Where somebody who came to sign in goes on to: a page of ours, whatever the address says. */
export function goingOn(callbackUrl: string | undefined): string {
  return callbackUrl === undefined ? AFTERWARDS : safeCallback(callbackUrl, new URL(pageContext().baseUrl).origin);
}

/** A page on the way in, which leads on to where somebody was going. */
export const withCallback = (path: string, callbackUrl: string): string =>
  callbackUrl === AFTERWARDS ? path : `${path}?callbackUrl=${encodeURIComponent(callbackUrl)}`;
