import "server-only";
import type { Metadata } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { NotFoundView } from "@/components/site/not-found-view";
import { setPageStatus } from "@/lib/http/page-status";
import { NONCE_HEADER } from "@/lib/http/security-headers";

/** The metadata of a page about something that does not exist. */
export const NOT_FOUND: Metadata = { title: "Not found", robots: { index: false } };

/**
 * The result of a page about something that does not exist: readable without JavaScript, and sent with 404. `view` adds
 * details.
 */
export async function Missing({ view = <NotFoundView /> }: { view?: ReactNode }) {
  await answerWith(404);
  return view;
}

/** The page is sent with this status and never cached. */
export async function answerWith(status: number): Promise<void> {
  const nonce = (await headers()).get(NONCE_HEADER);
  if (nonce) setPageStatus(nonce, status);
}
