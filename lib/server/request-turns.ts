import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { whenOver } from "./when-over";

/** Requests of one connection that are worked on at the same time. */
const UNDER_WAY_MAX = 16;

interface Turns {
  taken: number;
  underWay: number;
  waiting: (() => void)[];
  /** Whether the next one begins in the next round of the event loop. */
  isDue: boolean;
}

/**
 * Answers pipelined requests in turns, so that one connection cannot keep all others waiting: at most 16 of a
 * connection are under way, and each begins in a round of its own. As many wait as a connection may send at all: its
 * socket is not paused, since Node pauses it too, and fails if somebody else lets it go on.
 */
export class RequestTurns {
  readonly #ofSocket = new WeakMap<Socket, Turns>();
  readonly #last = new WeakSet<ServerResponse>();
  readonly #most: number;

  /** A connection ends with its `most`th reply. What was pipelined after that is dropped, as after any last reply. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether the connection ends with this reply. */
  isLast(res: ServerResponse): boolean {
    return this.#last.has(res);
  }

  /** Calls `answer` at once if the connection has no other request, otherwise when it is its turn. */
  take(req: IncomingMessage, res: ServerResponse, answer: () => void): void {
    const { socket } = req;
    const turns = this.#of(socket);
    turns.taken += 1;
    if (turns.taken > this.#most) return;
    if (turns.taken === this.#most) this.#last.add(res);
    turns.waiting.push(() => {
      turns.underWay += 1;
      whenOver(req, res, () => {
        turns.underWay -= 1;
        if (this.isLast(res)) socket.destroySoon();
        this.#plan(socket, turns);
      });
      answer();
    });
    if (turns.underWay === 0 && !turns.isDue) turns.waiting.shift()?.();
    else this.#plan(socket, turns);
  }

  #of(socket: Socket): Turns {
    const known = this.#ofSocket.get(socket);
    if (known) return known;
    const turns: Turns = { taken: 0, underWay: 0, waiting: [], isDue: false };
    this.#ofSocket.set(socket, turns);
    return turns;
  }

  #plan(socket: Socket, turns: Turns): void {
    if (turns.isDue || turns.waiting.length === 0 || turns.underWay >= UNDER_WAY_MAX) return;
    turns.isDue = true;
    setImmediate(() => {
      turns.isDue = false;
      if (socket.destroyed) turns.waiting.length = 0;
      turns.waiting.shift()?.();
      this.#plan(socket, turns);
    });
  }
}
