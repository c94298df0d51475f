import { processWide } from "@/lib/kernel/process-wide";

/** What pages said of themselves, by the nonces of their replies. */
const statuses = (): Map<string, number> => processWide("page-statuses", () => new Map<string, number>());

/**
 * Says, from within a page, with which status the listener answers what the page renders: 404 where there is nothing,
 * 429 or 503 where there is
 * nothing just now. The framework's own `notFound()` has the status but an empty body, which only its script fills.
 */
export function setPageStatus(nonce: string, status: number): void {
  statuses().set(nonce, status);
}

/** What the page of this nonce said; asked once, as the head goes out or the connection is gone. */
export function takePageStatus(nonce: string): number | undefined {
  const status = statuses().get(nonce);
  statuses().delete(nonce);
  return status;
}
