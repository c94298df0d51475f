import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerConnector } from "@/lib/mcp/connector";

/** The connector on a separate port, as clients reach it. Without our listener, no address is counted. */
export const serveConnector = (): Promise<Served> =>
  serveProtocol((request) =>
    answerConnector(request, new URL(request.url).pathname === "/api/mcp/account" ? "/api/mcp/account" : "/api/mcp"),
  );

interface Served {
  url: URL;
  close(): Promise<void>;
}

/** Any server that uses the connector's transport, on a separate port. */
export async function serveProtocol(answer: (request: Request) => Promise<Response>, port = 0): Promise<Served> {
  const server: Server = createServer((req, res) => void pass(req, res, answer));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/mcp`);
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url, close };
}

async function pass(
  req: IncomingMessage,
  res: ServerResponse,
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
  const headers = new Headers(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
  const gone = new AbortController();
  res.once("close", () => gone.abort());
  const reply = await answer(
    new Request(`http://${req.headers.host}${req.url}`, {
      method: req.method ?? "GET",
      headers,
      signal: gone.signal,
      ...body,
    }),
  );
  res.writeHead(reply.status, Object.fromEntries(reply.headers));
  res.end(Buffer.from(await reply.arrayBuffer()));
}
