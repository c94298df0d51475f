import type { IncomingMessage, ServerResponse } from "node:http";
import { Admission } from "@/lib/kernel/admission";
import { inOwnTurn, subjectAtWork } from "@/lib/kernel/caller";
import { whenOver } from "./when-over";

/** Renderings at the same time; all of them share one thread. */
const SLOTS = 8;
const QUEUE_MS = 10_000;
/** A page that waits for a query, or whose reader is slow, keeps its turn no longer. */
const TURN_MS = 2_000;

/**
 * Renders pages in turns by caller, since a rendering costs 30 to 60 ms of processor time: hundreds of pages requested
 * at once by one caller keep nobody else waiting.
 */
export class PageTurns {
  readonly #turns = new Admission({ slots: SLOTS, queueMs: QUEUE_MS });

  /** Runs `work` when it is the caller's turn. Throws `busy`, or the signal's reason. */
  async run<T>(work: () => Promise<T> | T, signal?: AbortSignal): Promise<T> {
    const leave = await this.#turns.enter(subjectAtWork(), signal);
    const timer = setTimeout(leave, TURN_MS);
    try {
      return await inOwnTurn(work);
    } finally {
      clearTimeout(timer);
      leave();
    }
  }
}

/** Aborted once the response has ended, or its client has left. */
export function untilOver(req: IncomingMessage, res: ServerResponse): AbortSignal {
  const control = new AbortController();
  whenOver(req, res, () => control.abort(new Error("The client has left.")));
  return control.signal;
}
