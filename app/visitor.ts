import "server-only";
import { headers } from "next/headers";
import { safeCallback } from "@/lib/http/same-origin";
import { pageContext } from "./context";
import { returnPath } from "./return-path";

const AFTERWARDS = "/settings/access";

/** Where sign-in continues: a page of this site, whatever the URL says. */
export function goingOn(callbackUrl: string | undefined): string {
  return callbackUrl === undefined ? AFTERWARDS : safeCallback(callbackUrl, new URL(pageContext().baseUrl).origin);
}

/** Where sign-in continues after a plain link: the page of this site that contained the link. */
export async function goingBack(): Promise<string> {
  const referrer = (await headers()).get("referer");
  return returnPath(referrer, new URL(pageContext().baseUrl).origin) ?? AFTERWARDS;
}

/** A sign-in page that continues to the original destination. */
export const withCallback = (path: string, callbackUrl: string): string =>
  callbackUrl === AFTERWARDS ? path : `${path}?callbackUrl=${encodeURIComponent(callbackUrl)}`;
