import { processWide } from "@/lib/kernel/process-wide";

/** Statuses set by pages, by the nonces of their replies. */
const statuses = (): Map<string, number> => processWide("page-statuses", () => new Map<string, number>());

/**
 * Sets, from within a page, the status that the listener sends with it: 404 if there is nothing, 429 or 503 if there is
 * nothing right now. The framework's own `notFound()` has the status but an empty body, which only its script fills.
 */
export function setPageStatus(nonce: string, status: number): void {
  statuses().set(nonce, status);
}

/** The status set by the page with this nonce; read once, when the head is sent or the connection is closed. */
export function takePageStatus(nonce: string): number | undefined {
  const status = statuses().get(nonce);
  statuses().delete(nonce);
  return status;
}
