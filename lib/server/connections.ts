import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { BlockList, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { addressBlock } from "@/lib/limits/address";
import type { Bounds } from "./bounds";
import { isTrusted, trueClientAddress } from "./client-address";
import { refuseUnreadable } from "./refusal";

/** Watches a server's sockets: who is answering what, who is too slow, and how they all end. */
export class Connections {
  draining = false;
  readonly #ofAddress = new Map<string, number>();
  readonly #current = new WeakMap<Socket, ServerResponse>();

  constructor(
    readonly server: Server,
    readonly bounds: Bounds,
    trusted: BlockList,
  ) {
    server.maxConnections = bounds.connectionsMax;
    server.on("connection", (socket) => this.#admit(socket, trusted));
    server.setTimeout(bounds.idleMs, (socket) => this.#idle(socket));
    server.on("clientError", (error: NodeJS.ErrnoException, socket) => this.#unreadable(error, socket));
  }

  /** A request has arrived whole up to its head. */
  began(req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req;
    this.#current.set(socket, res);
    res.once("close", () => {
      if (this.#current.get(socket) === res) this.#current.delete(socket);
      if (this.draining) setImmediate(() => this.server.closeIdleConnections());
    });
  }

  /** One address alone cannot take every connection; a trusted proxy brings those of many. */
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
   * No byte moved for a while: fine while a handler thinks about a request that has arrived, else the client is stuck.
   */
  #idle(socket: Socket): void {
    const res = this.#current.get(socket);
    const thinking = res !== undefined && !res.headersSent && res.req.complete;
    if (thinking) socket.setTimeout(this.bounds.idleMs);
    else socket.destroy();
  }

  /** An answer can be written only where none has begun. */
  #unreadable(error: NodeJS.ErrnoException, stream: Duplex): void {
    const socket = stream as Socket;
    if (this.#current.get(socket)?.headersSent) socket.destroy();
    else refuseUnreadable(error, socket);
  }

  /**
   * Makes the socket's end, once the reply is written, wait for the client: closing on unread bytes would reset the
   * reply away.
   */
  linger(socket: Socket): void {
    socket.destroySoon = () => {
      socket.end();
      setTimeout(() => socket.destroy(), this.bounds.lingerMs).unref();
    };
  }

  /** Stops accepting; resolves when the last connection is gone, by itself or cut after the grace. */
  async drain(graceMs: number): Promise<void> {
    this.draining = true;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeIdleConnections();
    const cut = setTimeout(() => this.server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(cut);
  }
}
