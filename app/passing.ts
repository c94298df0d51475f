import "server-only";
import { headers } from "next/headers";
import { setPagePassing } from "@/lib/http/page-status";
import { NONCE_HEADER } from "@/lib/http/security-headers";

/** Marks the page being rendered as valid only at this moment, so that it is not cached for anyone else. */
export async function shownForNow(): Promise<void> {
  const nonce = (await headers()).get(NONCE_HEADER);
  if (nonce) setPagePassing(nonce);
}
