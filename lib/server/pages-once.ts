import type { IncomingMessage, ServerResponse } from "node:http";
import { fail } from "@/lib/kernel/errors";

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void> | void;

/** Seconds after which a browser automatically reloads the page. */
const AGAIN_S = 5;

/**
 * Handles pages with what `load` resolves to. Until then, each is rejected with an explanation and browsers reload it
 * automatically: a first start answers programs while it builds the pages.
 */
export function pagesOnce(load: Promise<Handler>): Handler {
  let handler: Handler | undefined;
  load.then(
    (loaded) => {
      handler = loaded;
    },
    () => undefined, // reported by the caller that started it
  );
  return (req, res) => {
    if (handler) return handler(req, res);
    throw fail("unavailable", {
      message:
        "The pages of this service are being built, which takes half a minute on the first start, or several on a " +
        "busy machine. The API is already available, and this page reloads automatically.",
      retryAfterSeconds: AGAIN_S,
      headers: { Refresh: String(AGAIN_S) },
    });
  };
}
