import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { logWhenOver } from "./request-line";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

test("a request's log line has the client's trace id, and nothing else from its headers", async () => {
  const lines: object[] = [];
  const server = createServer((req, res) => {
    logWhenOver(req, res, "/x", { requestId: "req_1" }, { info: (line: object) => void lines.push(line) } as never);
    res.end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x?secret=1`;
  for (const traceparent of [`00-${TRACE}-00f067aa0ba902b7-01`, "secret"])
    await fetch(url, { headers: { traceparent } });
  await new Promise<void>((closed) => server.close(() => closed()));
  const line = { request_id: "req_1", method: "GET", path: "/x", status: 200, ms: expect.any(Number) };
  expect(lines).toEqual([
    { ...line, trace_id: TRACE },
    { ...line, trace_id: undefined },
  ]);
});

test("probes that succeed are logged at debug, those that fail and everything else at info", async () => {
  const levels: string[] = [];
  const log =
    (level: string) =>
    ({ path, status }: { path: string; status: number }) =>
      void levels.push(`${path} ${status} ${level}`);
  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? "", "http://localhost");
    logWhenOver(req, res, pathname, { requestId: "req_1" }, { info: log("info"), debug: log("debug") } as never);
    res.writeHead(Number(searchParams.get("status"))).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  for (const asked of ["healthz?status=200", "readyz?status=200", "readyz?status=503", "x?status=200"])
    await fetch(`http://127.0.0.1:${port}/${asked}`);
  await new Promise<void>((closed) => server.close(() => closed()));
  expect(levels).toEqual(["/healthz 200 debug", "/readyz 200 debug", "/readyz 503 info", "/x 200 info"]);
});
