import "server-only";
import { headers } from "next/headers";
import { setPagePassing } from "@/lib/http/page-status";
import { NONCE_HEADER } from "@/lib/http/security-headers";

/** The page that is drawn shows what is true at this moment alone, so that it is kept for nobody else. */
export async function shownForNow(): Promise<void> {
  const nonce = (await headers()).get(NONCE_HEADER);
  if (nonce) setPagePassing(nonce);
}
