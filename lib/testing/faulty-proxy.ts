import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";

const BYTE_MS = 50;

/** How an object store fails. */
export type StoreFault =
  /** Nobody listens. */
  | "refused"
  /** No first byte of a reply, until the fault is over. */
  | "silent"
  /** Bodies of replies arrive byte by byte. */
  | "slow"
  /** Replies end in the middle of their bodies; what was sent is stored, and its reply lost. */
  | "cut"
  /** Other bytes than were stored or sent, under the right ETag. */
  | "wrong"
  | "overloaded"
  | "expired";

/** What a store replies with instead: statuses and codes as Amazon S3 documents them. */
const REFUSALS: Readonly<Partial<Record<StoreFault, { status: number; code: string }>>> = {
  overloaded: { status: 503, code: "SlowDown" },
  expired: { status: 400, code: "ExpiredToken" },
};

/** An HTTP proxy in front of an object store, which can fail as stores and networks do. */
export class FaultyProxy {
  #fault: StoreFault | undefined;
  readonly #held = new Set<() => void>();
  /** How many requests have arrived. */
  requests = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    private readonly port: number,
  ) {}

  static async start(target: string): Promise<FaultyProxy> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const proxy = new FaultyProxy(server, new URL(target), (server.address() as AddressInfo).port);
    server.on("request", (req, res) => proxy.#carry(req, res));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Fails in this way until `work` settles. */
  async during<T>(fault: StoreFault, work: () => Promise<T>): Promise<T> {
    this.#fault = fault;
    if (fault === "refused") await this.close();
    try {
      return await work();
    } finally {
      this.#fault = undefined;
      if (fault === "refused") await once(this.server.listen(this.port, "127.0.0.1"), "listening");
      for (const resume of this.#held) resume();
      this.#held.clear();
    }
  }

  async close(): Promise<void> {
    const closed = once(this.server, "close");
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  #carry(req: IncomingMessage, res: ServerResponse): void {
    this.requests += 1;
    const fault = this.#fault;
    const refusal = fault && REFUSALS[fault];
    if (refusal) {
      req.resume();
      const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${refusal.code}</Code></Error>`;
      res.writeHead(refusal.status, { "content-type": "application/xml" }).end(req.method === "HEAD" ? "" : body);
    } else if (fault === "silent") this.#held.add(() => this.#forward(req, res));
    else this.#forward(req, res, fault);
  }

  #forward(req: IncomingMessage, res: ServerResponse, fault?: StoreFault): void {
    const { hostname, port } = this.target;
    const upstream = request({ hostname, port, method: req.method, path: req.url, headers: req.headers });
    const end = () => void [req, res, upstream].map((each) => each.destroy());
    for (const each of [req, res, upstream]) each.on("error", end);
    res.on("close", () => upstream.destroy());
    upstream.on("response", (reply) => {
      reply.on("error", end);
      if (fault === "cut" && req.method === "PUT") return void reply.resume().on("end", end);
      if (fault === "slow" && req.method === "GET") return void this.#trickle(reply, res).catch(end);
      res.writeHead(reply.statusCode ?? 502, reply.headers);
      let left = fault === "cut" ? Math.trunc(Number(reply.headers["content-length"] ?? 0) / 2) : Infinity;
      reply.on("data", (chunk: Buffer) => {
        const part = chunk.subarray(0, left);
        left -= part.length;
        res.write(changed(part, fault), () => left === 0 && end());
      });
      reply.on("end", () => res.end());
    });
    req.on("data", (chunk: Buffer) => upstream.write(changed(chunk, fault)));
    req.on("end", () => upstream.end());
  }

  async #trickle(reply: IncomingMessage, res: ServerResponse): Promise<void> {
    const bytes = await buffer(reply);
    res.writeHead(reply.statusCode ?? 502, reply.headers);
    for (let at = 0; at < bytes.length && !res.destroyed; at += 1) {
      res.write(bytes.subarray(at, at + 1));
      await wait(BYTE_MS);
    }
    res.end();
  }
}

/** With the lowest bit of its last byte flipped, if bytes are to be wrong. */
function changed(chunk: Buffer, fault: StoreFault | undefined): Buffer {
  if (fault !== "wrong" || chunk.length === 0) return chunk;
  const wrong = Buffer.from(chunk);
  wrong.writeUInt8(wrong.readUInt8(wrong.length - 1) ^ 1, wrong.length - 1);
  return wrong;
}
