import "server-only";
import { headers } from "next/headers";
import { setPagePassing, setPagePrivate } from "@/lib/http/page-status";
import { NONCE_HEADER } from "@/lib/http/security-headers";

/** Marks the page being rendered as valid only at this moment, so that it is not cached for anyone else. */
export async function shownForNow(): Promise<void> {
  const nonce = (await headers()).get(NONCE_HEADER);
  if (nonce) setPagePassing(nonce);
}

/** Marks the page being rendered as its reader's own, so that no cache keeps it. */
export async function shownToReader(): Promise<void> {
  const nonce = (await headers()).get(NONCE_HEADER);
  if (nonce) setPagePrivate(nonce);
}
