import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** Room for the request line's path and, if only the header lines make the head too long, the Accept header. */
const KEPT_BYTES = 4_096;

/**
 * The first bytes of the request head that is arriving on a socket. When the parser gives up, it reports only the
 * packet that it was reading, while a long head arrives in several.
 */
export class HeadStart {
  #chunks: Buffer[] = [];
  #size = 0;
  #request: IncomingMessage | undefined;

  constructor(socket: Socket) {
    // before the parser, which may complete the head with the same chunk
    socket.prependListener("data", (chunk: Buffer) => this.#keep(chunk));
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Called once the parser has read the head. What follows is the request's body, until that is complete. */
  complete(request: IncomingMessage): void {
    this.#request = request;
    this.#chunks = [];
    this.#size = 0;
  }

  #keep(chunk: Buffer): void {
    if (this.#request?.complete === false || this.#size >= KEPT_BYTES) return;
    const kept = chunk.subarray(0, KEPT_BYTES - this.#size);
    this.#chunks.push(kept);
    this.#size += kept.length;
  }
}
