import type { lookup as systemLookup } from "node:dns";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { CONNECTING_DEFAULTS, type Connecting, newAgents } from "@/lib/sources/connection";

/** A source on loopback, and a connection that can reach it only by its name. */
export interface SourceServer {
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  /** The requests received, in order. */
  asked: { method: string; url: string; headers: Record<string, string | string[] | undefined>; body: string }[];
  answer(listener: RequestListener): void;
  connecting(more?: Partial<Connecting>): Connecting;
  close(): Promise<void>;
}

export async function startSource(): Promise<SourceServer> {
  let listener: RequestListener = (_request, reply) => void reply.writeHead(404).end();
  const asked: SourceServer["asked"] = [];
  const server: Server = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    asked.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    listener(request, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const agents = newAgents();
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    answer: (given) => {
      listener = given;
    },
    connecting: (more = {}) => ({
      ...CONNECTING_DEFAULTS,
      ownHosts: [],
      privateHosts: [`127.0.0.1:${port}`],
      userAgent: "Parquetry/test",
      agents,
      ...more,
    }),
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A DNS lookup that returns these addresses for every name, without any request. */
export const lookupOf = (...addresses: readonly string[]): typeof systemLookup =>
  ((_name: string, _options: object, callback: (error: null, found: object[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    )) as typeof systemLookup;
