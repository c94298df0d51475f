import "server-only";
import type { Metadata } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { findDatasets } from "@/app/catalogue";
import { payingContext } from "@/app/context";
import { NotFoundView } from "@/components/site/not-found-view";
import { takeMetadataRequest } from "@/lib/access/quotas";
import { setPageStatus } from "@/lib/http/page-status";
import { NONCE_HEADER } from "@/lib/http/security-headers";

/** The metadata of a page about something that does not exist. */
export const NOT_FOUND: Metadata = { title: "Not found", robots: { index: false } };

/** The metadata of a private dataset's pages: not indexed, whoever has the page. */
export const PRIVATE: Metadata = { robots: { index: false } };

/**
 * The result of a page about something that does not exist: readable without JavaScript, and sent with 404. `near` is
 * the name in its URL, for which datasets are searched; `view` replaces it all.
 */
export async function Missing({ view, near }: { view?: ReactNode; near?: string }) {
  await answerWith(404);
  return view ?? <NotFoundView near={near === undefined ? [] : await readNear(near)} />;
}

const NEAR_MAX = 3;

/** A part of a path as text; as it is if it cannot be decoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The datasets that a search for a name finds; none if the visitor has no searches left, or the search fails. */
async function readNear(name: string): Promise<readonly { title: string; slug: string }[]> {
  const q = decoded(name)
    .replace(/[^\p{L}\p{N}]/gu, " ")
    .trim()
    .slice(0, 100);
  if (q === "") return [];
  try {
    const ctx = await payingContext();
    await takeMetadataRequest(ctx);
    return (await findDatasets({ q, limit: NEAR_MAX }, ctx)).datasets;
  } catch {
    return [];
  }
}

/** The page is sent with this status and never cached. */
export async function answerWith(status: number): Promise<void> {
  const nonce = (await headers()).get(NONCE_HEADER);
  if (nonce) setPageStatus(nonce, status);
}
