import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { BlockList, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { HeaderSettings } from "@/lib/http/security-headers";
import { addressBlock } from "@/lib/limits/address";
import type { Bounds } from "./bounds";
import { isTrusted, trueClientAddress } from "./client-address";
import { rejectUnreadable } from "./rejection";
import type { SendingPace } from "./sending-pace";
import { unreadPage } from "./unread-page";

/** An error of Node's parser, with the packet that it was reading. */
type Unreadable = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** Tracks a server's sockets: which are being answered, which are too slow, and how each one ends. */
export class Connections {
  /** Readiness is 503, and each reply closes its connection. */
  draining = false;
  #isClosing = false;
  readonly #ofAddress = new Map<string, number>();
  readonly #current = new WeakMap<Socket, ServerResponse>();
  readonly #heads = new WeakMap<Socket, HeadStart>();
  readonly #files = new WeakMap<IncomingMessage, SendingPace>();

  constructor(
    readonly server: Server,
    readonly bounds: Bounds,
    trusted: BlockList,
    readonly settings: HeaderSettings,
  ) {
    server.maxConnections = bounds.connectionsMax;
    server.on("connection", (socket) => {
      this.#heads.set(socket, new HeadStart(socket));
      this.#admit(socket, trusted);
    });
    server.setTimeout(bounds.idleMs, (socket) => this.#idle(socket));
    server.on("clientError", (error: Unreadable, socket) => this.#unreadable(error, socket));
  }

  /** The head of a request has arrived completely. */
  began(req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req;
    this.#current.set(socket, res);
    this.#heads.get(socket)?.complete(req);
    res.once("close", () => {
      if (this.#current.get(socket) === res) this.#current.delete(socket);
      if (this.#isClosing) setImmediate(() => this.server.closeIdleConnections());
    });
  }

  /** Marks the request's body as a file, which may be read more slowly than it is sent. */
  takesFile(req: IncomingMessage, pace: SendingPace): void {
    this.#files.set(req, pace);
  }

  /** A single address cannot use every connection. A trusted proxy carries the connections of many. */
  #admit(socket: Socket, trusted: BlockList): void {
    const address = trueClientAddress(socket.remoteAddress, undefined, trusted);
    if (isTrusted(address, trusted)) return;
    const block = addressBlock(address);
    const open = (this.#ofAddress.get(block) ?? 0) + 1;
    if (open > this.bounds.addressConnectionsMax) {
      socket.destroy();
      return;
    }
    this.#ofAddress.set(block, open);
    socket.once("close", () => {
      const left = (this.#ofAddress.get(block) ?? 1) - 1;
      if (left > 0) this.#ofAddress.set(block, left);
      else this.#ofAddress.delete(block);
    });
  }

  /**
   * No byte has moved for a while. That is fine while a handler works on a request, or on the part of a file, that has
   * arrived. Otherwise the client is stuck.
   */
  #idle(socket: Socket): void {
    const res = this.#current.get(socket);
    const thinking = res !== undefined && !res.headersSent && (res.req.complete || !this.#awaitsBytes(res.req));
    if (thinking) socket.setTimeout(this.bounds.idleMs);
    else socket.destroy();
  }

  /**
   * Whether the server is waiting for body bytes. Always true if the body is not a file, which is bounded as a whole.
   */
  #awaitsBytes(req: IncomingMessage): boolean {
    return this.#files.get(req)?.waits ?? true;
  }

  /** Ends a body that takes too long: the client is told, and the connection cut. */
  expire(socket: Socket): void {
    this.#unreadable(Object.assign(new Error("the body took too long"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
  }

  /** Replies with an error, which is possible only if no reply has begun. */
  #unreadable(error: Unreadable, stream: Duplex): void {
    const socket = stream as Socket;
    const arrived = [this.#heads.get(socket)?.bytes, error.rawPacket].filter((bytes) => bytes !== undefined);
    if (this.#current.get(socket)?.headersSent) socket.destroy();
    else {
      const { lingerMs } = this.bounds;
      rejectUnreadable(error, socket, { page: unreadPage(Buffer.concat(arrived), this.settings), lingerMs });
    }
  }

  /**
   * Makes the socket wait for the client when it ends after the reply: closing with unread bytes would reset the
   * connection and lose the reply.
   */
  linger(socket: Socket): void {
    socket.destroySoon = () => {
      socket.end();
      setTimeout(() => socket.destroy(), this.bounds.lingerMs).unref();
    };
  }

  /**
   * Goes on serving for `delayMs`, each reply as its connection's last, so that load balancers leave before anything
   * is refused. Then stops accepting, and ends idle connections. Resolves when the last connection has ended, on its
   * own or cut `graceMs` after the start.
   */
  async drain(graceMs: number, delayMs = 0): Promise<void> {
    this.draining = true;
    const over = performance.now() + graceMs;
    if (delayMs > 0) await delay(Math.min(delayMs, graceMs));
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeIdleConnections();
    const cut = setTimeout(() => this.server.closeAllConnections(), over - performance.now());
    await closed;
    clearTimeout(cut);
  }
}

/** Room for the request line's path and, if only the header lines make the head too long, the Accept header. */
const HEAD_BYTES_RECORDED = 4_096;

/**
 * The first bytes of the request head that is arriving on a socket. When the parser gives up, it reports only the
 * packet that it was reading, while a long head arrives in several.
 */
class HeadStart {
  #chunks: Buffer[] = [];
  #size = 0;
  #request: IncomingMessage | undefined;

  constructor(socket: Socket) {
    // before the parser, which may complete the head with the same chunk
    socket.prependListener("data", (chunk: Buffer) => this.#record(chunk));
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

  #record(chunk: Buffer): void {
    if (this.#request?.complete === false || this.#size >= HEAD_BYTES_RECORDED) return;
    const part = chunk.subarray(0, HEAD_BYTES_RECORDED - this.#size);
    this.#chunks.push(part);
    this.#size += part.length;
  }
}
