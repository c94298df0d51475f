import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { doorOf } from "@/lib/door/handle";
import { env } from "@/lib/kernel/env";
import { queryTable } from "@/lib/operations/query-table";
import { head } from "@/lib/testing/echoing-listener";
import { exchange } from "@/lib/testing/raw-socket";
import { type Listener, startListener } from "./listener";

let listener: Listener;
beforeAll(async () => {
  listener = await startListener({
    door: doorOf([queryTable]),
    handle: (_req, res) => void res.end(),
    ...{ port: 0, host: "127.0.0.1", logger: pino({ level: "silent" }), settings: env() },
  });
});
afterAll(() => listener.close(500));

test.each([
  ["/", "GET, HEAD"],
  ["/api/v2/public/tables/x/query", "POST, OPTIONS"],
  ["/api/mcp", "POST, OPTIONS"],
  ["/api/auth/csrf", "GET"],
  ["/llms.txt", "GET, HEAD, OPTIONS"],
  ["/api/nothing", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"],
])("TRACE of %s is 405, and Allow lists its methods: %s", async (path, allow) => {
  const received = await exchange(listener.url, head(`TRACE ${path} HTTP/1.1`));
  expect([/^HTTP\/1\.1 (\d+)/.exec(received)?.[1], /^Allow: (.*)\r$/im.exec(received)?.[1]]).toEqual(["405", allow]);
});

test.each(["PUT", "PATCH", "DELETE"])("%s of a page is 405", async (method) => {
  const received = await exchange(listener.url, head(`${method} /datasets HTTP/1.1`));
  expect([/^HTTP\/1\.1 (\d+)/.exec(received)?.[1], /^Allow: (.*)\r$/im.exec(received)?.[1]]).toEqual([
    "405",
    "GET, HEAD",
  ]);
});
