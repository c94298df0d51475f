import type { IncomingMessage, ServerResponse } from "node:http";
import { fail } from "@/lib/kernel/errors";

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void> | void;

/** Seconds after which a browser loads the page again by itself. */
const AGAIN_S = 5;

/**
 * Handles pages with what `load` resolves to. Until then each of them is rejected with words that say why, and browsers
 * load it again by themselves: a first start answers programs while it builds what people read.
 */
export function pagesOnce(load: Promise<Handler>): Handler {
  let handler: Handler | undefined;
  load.then(
    (loaded) => {
      handler = loaded;
    },
    () => undefined, // told by who started it
  );
  return (req, res) => {
    if (handler) return handler(req, res);
    throw fail("unavailable", {
      message:
        "The pages of this service are being built, which takes half a minute at its first start, or some where the " +
        "machine is busy. The API answers already, and this page opens by itself.",
      retryAfterSeconds: AGAIN_S,
      headers: { Refresh: String(AGAIN_S) },
    });
  };
}
