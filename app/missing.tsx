import "server-only";
import type { Metadata } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { NotFoundView } from "@/components/site/not-found-view";
import { setPageStatus } from "@/lib/http/page-status";
import { NONCE_HEADER } from "@/lib/http/security-headers";

/** The metadata of a page that is about nothing. */
export const NOT_FOUND: Metadata = { title: "Not found", robots: { index: false } };

/**
 * What a page returns that is about nothing: readable without script, and answered with 404. `view` says more than that
 * nothing is there.
 */
export async function Missing({ view = <NotFoundView /> }: { view?: ReactNode }) {
  await answerWith(404);
  return view;
}

/** The page is answered with this status, and no cache keeps it. */
export async function answerWith(status: number): Promise<void> {
  const nonce = (await headers()).get(NONCE_HEADER);
  if (nonce) setPageStatus(nonce, status);
}
