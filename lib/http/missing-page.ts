import { processWide } from "@/lib/process-wide";

/** Nonces of the replies whose pages turned out to be about nothing. */
const missing = (): Set<string> => processWide("missing-pages", () => new Set<string>());

/**
 * Says, from within a page, that there is nothing at its address: the listener then answers 404 with what the page renders. The framework's own
 * `notFound()` has the status but an empty body, which only its script fills.
 */
export function markMissing(nonce: string): void {
  missing().add(nonce);
}

/** Whether the page of this nonce was about nothing; asked once, as the head goes out or the connection is gone. */
export const takeMissing = (nonce: string): boolean => missing().delete(nonce);
