import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { afterAll, beforeAll } from "vitest";
import { setPageFailure, setPageStatus } from "@/lib/http/page-status";
import { NONCE_HEADER } from "@/lib/http/security-headers";
import { type Failure, fail } from "@/lib/kernel/errors";
import { type Listener, startListener } from "@/lib/server/listener";

/** Gives the test file a listener whose handler echoes its input. Call at its top. */
export function useEchoingListener() {
  let listener: Listener;
  const echoing = {
    /** How many requests reached the handler. */
    handled: 0,
    /** Addresses of clients whose pages were counted, and how many pages are allowed. */
    pagesOf: [] as string[],
    pagesMax: Number.POSITIVE_INFINITY,
    /** The failure with which a page is rejected before it reaches the handler. */
    rejection: undefined as Failure | undefined,
    url: "",
    get: (path: string, headers: Record<string, string> = {}) => fetch(`${echoing.url}${path}`, { headers }),
  };
  beforeAll(async () => {
    listener = await startListener({
      handle: (req, res) => {
        echoing.handled += 1;
        return echo(req, res);
      },
      port: 0,
      host: "127.0.0.1",
      settings: { PARQUETRY_TRUSTED_PROXIES: ["10.0.0.0/8"] },
      logger: pino({ level: "silent" }),
      bounds: { lingerMs: 200 },
      takePage: async (address) => {
        if (echoing.rejection) throw echoing.rejection;
        echoing.pagesOf.push(address);
        if (echoing.pagesOf.length > echoing.pagesMax) throw fail("rate_limited", { retryAfterSeconds: 7 });
      },
    });
    echoing.url = listener.url;
  });
  afterAll(() => listener.close(1_000));
  return echoing;
}

/** The head of a request with a Host header, from its first line and further lines. */
export const head = (start: string, ...lines: string[]) => `${[start, "Host: x", ...lines].join("\r\n")}\r\n\r\n`;

/** Takes the place of Next: echoes its input. */
async function echo(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.url === "/api/broken") throw new Error("secret detail /srv/data");
  res.setHeader("Vary", "rsc, next-router-state-tree, next-router-prefetch, next-router-segment-prefetch, Accept");
  res.setHeader("X-Powered-By", "Next.js");
  res.setHeader("Access-Control-Allow-Origin", "*");
  res.setHeader("Cache-Control", "public, max-age=60");
  if (req.url === "/page/unchanged") return void res.writeHead(304).end();
  if (req.url === "/page/moved") return void res.writeHead(307, { Location: "/page/moved?_rsc=1" }).end();
  res.setHeader("x-parquetry-anything", "internal");
  if (req.url === "/page/withdrawn") setPageFailure(String(req.headers[NONCE_HEADER]), fail("version_withdrawn"));
  if (req.url === "/page/failed" || req.url === "/page/withdrawn")
    return void res.writeHead(500, { "Content-Type": "text/html" }).end('<html id="__next_error__">secret</html>');
  if (req.url === "/page/missing") setPageStatus(String(req.headers[NONCE_HEADER]), 404);
  if (req.url === "/page/busy") setPageStatus(String(req.headers[NONCE_HEADER]), 503);
  const body = await text(req).catch(() => "cut");
  res.writeHead(200, { "Content-Type": "application/json", "X-Parquetry-Late": "internal" });
  res.end(JSON.stringify({ url: req.url, headers: req.headers, length: body.length }));
}
