import "server-only";
import { headers } from "next/headers";
import { safeCallback } from "@/lib/http/same-origin";
import { pageContext } from "./context";
import { returnPath } from "./return-path";

const AFTERWARDS = "/settings/access";

/** Where somebody who came to sign in goes on to: a page of ours, whatever the address says. */
export function goingOn(callbackUrl: string | undefined): string {
  return callbackUrl === undefined ? AFTERWARDS : safeCallback(callbackUrl, new URL(pageContext().baseUrl).origin);
}

/** Where somebody who followed a plain link to sign in goes on to: the page of ours that the link was on. */
export async function goingBack(): Promise<string> {
  const referrer = (await headers()).get("referer");
  return returnPath(referrer, new URL(pageContext().baseUrl).origin) ?? AFTERWARDS;
}

/** A page on the way in, which leads on to where somebody was going. */
export const withCallback = (path: string, callbackUrl: string): string =>
  callbackUrl === AFTERWARDS ? path : `${path}?callbackUrl=${encodeURIComponent(callbackUrl)}`;
