import { processWide } from "@/lib/kernel/process-wide";

/** What a page says of itself. */
export interface PageMarks {
  /** The status to be sent with it, if it is not 200. */
  status?: number;
  /** It shows what is true at this moment alone, such as a part that could not be read. */
  isPassing?: true;
}

/** By the nonces of their replies. */
const marks = (): Map<string, PageMarks> => processWide("page-marks", () => new Map<string, PageMarks>());

/**
 * Sets, from within a page, the status that the listener sends with it: 404 if there is nothing, 429 or 503 if there is
 * nothing right now. The framework's own `notFound()` has the status but an empty body, which only its script fills.
 */
export const setPageStatus = (nonce: string, status: number): void => mark(nonce, { status });

/** Says, from within a page, that it is not to be kept for anybody else. */
export const setPagePassing = (nonce: string): void => mark(nonce, { isPassing: true });

/** What the page with this nonce said; read once, when it is drawn, its head is sent or the connection is closed. */
export function takePageMarks(nonce: string): PageMarks {
  const taken = marks().get(nonce) ?? {};
  marks().delete(nonce);
  return taken;
}

function mark(nonce: string, own: PageMarks): void {
  marks().set(nonce, { ...marks().get(nonce), ...own });
}
