import "server-only";
import { safeCallback } from "@/lib/http/same-origin";
import { pageContext } from "./context";

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

const AFTERWARDS = "/settings/access";

/** One value of each parameter; repeated ones count as absent. */
export async function singleValues(search: SearchParams): Promise<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(await search).filter(([, value]) => typeof value === "string")) as Record<string, string>;
}

/** Where somebody who came to sign in goes on to: a page of ours, whatever the address says. */
export function goingOn(callbackUrl: string | undefined): string {
  return callbackUrl === undefined ? AFTERWARDS : safeCallback(callbackUrl, new URL(pageContext().baseUrl).origin);
}

/** A page on the way in, which leads on to where somebody was going. */
export const withCallback = (path: string, callbackUrl: string): string =>
  callbackUrl === AFTERWARDS ? path : `${path}?callbackUrl=${encodeURIComponent(callbackUrl)}`;
