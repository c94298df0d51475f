import { LRUCache } from "lru-cache";
import type { Failure } from "@/lib/kernel/errors";
import { processWide } from "@/lib/kernel/process-wide";

/** What a page reports about itself. */
export interface PageMarks {
  /** The status to be sent with it, if it is not 200. */
  status?: number;
  /** It shows something true only at this moment, such as a part that could not be read. */
  isPassing?: true;
  /** It is for its reader alone, so no cache may keep it. */
  isPrivate?: true;
  /** Why it could not be rendered, if its reader may know. */
  failure?: Failure;
}

/** Pages being rendered at once, and those whose reader left before they were marked: the oldest are forgotten. */
const MARKED_MAX = 10_000;

/** Keyed by the nonces of their replies. */
const marks = (): LRUCache<string, PageMarks> =>
  processWide("page-marks", () => new LRUCache<string, PageMarks>({ max: MARKED_MAX }));

/**
 * Sets, from within a page, the status that the listener sends with it: 404 if there is nothing, 429 or 503 if there is
 * nothing right now. The framework's own `notFound()` sets the status but sends an empty body, which only its script
 * fills.
 */
export const setPageStatus = (nonce: string, status: number): void => mark(nonce, { status });

/** Declares, from within a page, that it must not be cached for anybody else. */
export const setPagePassing = (nonce: string): void => mark(nonce, { isPassing: true });

/** Declares, from within a page, that it shows what only its reader may see. */
export const setPagePrivate = (nonce: string): void => mark(nonce, { isPrivate: true });

/** Notes why a page could not be rendered, so that its reader gets this failure and not `internal`. */
export const setPageFailure = (nonce: string, failure: Failure): void => mark(nonce, { failure });

/**
 * The marks of the page with this nonce, returned only once: when it is rendered, its head is sent or the connection is
 * closed.
 */
export function takePageMarks(nonce: string): PageMarks {
  const taken = marks().get(nonce) ?? {};
  marks().delete(nonce);
  return taken;
}

function mark(nonce: string, own: PageMarks): void {
  marks().set(nonce, { ...marks().get(nonce), ...own });
}
