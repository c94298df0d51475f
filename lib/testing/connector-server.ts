import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerConnector } from "@/lib/mcp/connector";

/** The connector on a port of its own, as clients reach it; without our listener no address is counted. */
export async function serveConnector(): Promise<{ url: URL; close(): Promise<void> }> {
  const server: Server = createServer((req, res) => void pass(req, res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/mcp`);
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url, close };
}

async function pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
  const headers = new Headers(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
  const path = req.url === "/api/mcp/account" ? req.url : "/api/mcp";
  const reply = await answerConnector(new Request(`http://${req.headers.host}${req.url}`, { method: req.method ?? "GET", headers, ...body }), path);
  res.writeHead(reply.status, Object.fromEntries(reply.headers));
  res.end(Buffer.from(await reply.arrayBuffer()));
}
