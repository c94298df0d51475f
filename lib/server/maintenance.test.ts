import { writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { removeMaintenanceFile, writeMaintenanceFile } from "@/lib/storage/maintenance";
import { maintenancePath } from "@/lib/storage/paths";
import { turnMaintenanceOff, turnMaintenanceOn, watchMaintenance } from "@/lib/store/maintenance";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { exchange, statuses } from "@/lib/testing/raw-socket";
import { type Listener, startListener } from "./listener";

useTestState();

let listener: Listener;
let maintenance: Awaited<ReturnType<typeof watchMaintenance>>;
let handled = 0;
let finish = () => {};

beforeAll(async () => {
  maintenance = await watchMaintenance(() => undefined);
  listener = await startListener({
    handle,
    port: 0,
    host: "127.0.0.1",
    settings: { PARQUETRY_TRUSTED_PROXIES: [] },
    logger: pino({ level: "silent" }),
    maintenance: maintenance.current,
    bounds: { lingerMs: 200 },
  });
});
afterAll(async () => {
  await maintenance.close();
  await listener.close(1_000);
});

async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
  handled += 1;
  if (req.url === "/slow") await new Promise<void>((resolve) => (finish = resolve));
  res.end("handled");
}

const raise = async (message = "Back at noon.") => {
  await turnMaintenanceOn({ message, retryAfterSeconds: 90, since: null }, new Date());
  await vi.waitFor(() => expect(maintenance.current()?.message).toBe(message), 60_000);
};
const lower = async () => {
  await turnMaintenanceOff();
  await vi.waitFor(() => expect(maintenance.current()).toBeUndefined(), 60_000);
};
const ask = (path: string, init: RequestInit = {}) => fetch(`${listener.url}${path}`, init);

describe("during maintenance", () => {
  beforeAll(() => raise());
  afterAll(lower);
  beforeEach(() => {
    handled = 0;
  });

  test("a browser that requests a page gets the same message", async () => {
    const page = await ask("/datasets", { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("retry-after"), await page.text()]).toEqual([
      503,
      "90",
      expect.stringContaining("Back at noon."),
    ]);
    expect(handled).toBe(0);
  });

  test.each([
    ["GET", "/"],
    ["GET", "/datasets"],
    ["GET", "/_next/static/a.js"],
    ["GET", "/status.json"],
    ["GET", "/api/v2/public/datasets"],
    ["HEAD", "/api/v2/public/datasets"],
    ["POST", "/api/public/tables/x/query"],
    ["PUT", "/api/x"],
    ["PATCH", "/api/x"],
    ["DELETE", "/api/x"],
    ["OPTIONS", "/api/v2/public/datasets"],
    ["GET", "/api/%ff"],
    ["GET", "/api//double"],
    ["GET", "/healthz/x"],
  ])("%s %s is 503 in plain text with Retry-After, and reaches no handler", async (method, path) => {
    const reply = await ask(path, { method, ...(method === "POST" && { body: "{}" }) });
    expect(reply.status).toBe(503);
    expect(reply.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(reply.headers.get("retry-after")).toBe("90");
    expect(reply.headers.get("cache-control")).toBe("no-store");
    const id = reply.headers.get("x-request-id");
    expect(id).toMatch(/^req_/);
    expect(await reply.text()).toBe(method === "HEAD" ? "" : `Back at noon.\nRequest ID: ${id}\n`);
    expect(handled).toBe(0);
  });

  test.each([
    ["TRACE", "TRACE / HTTP/1.1"],
    ["CONNECT", "CONNECT example.org:443 HTTP/1.1"],
    ["an unusual method", "PROPFIND /api/x HTTP/1.1"],
    ["OPTIONS *", "OPTIONS * HTTP/1.1"],
  ])("%s is answered 503 before its method is checked", async (_name, start) => {
    const received = await exchange(listener.url, `${start}\r\nHost: x\r\n\r\n`);
    expect(statuses(received)).toEqual([503]);
    expect(received).toMatch(/^Retry-After: 90\r$/m);
    expect(received).toContain("Back at noon.");
  });

  test("too many header lines or too large a body make no difference", async () => {
    const many = Array.from({ length: 101 }, (_, index) => `x-h${index}: 1\r\n`).join("");
    expect(statuses(await exchange(listener.url, `GET /api/x HTTP/1.1\r\nHost: x\r\n${many}\r\n`))).toEqual([503]);
    expect((await ask("/api/x", { method: "POST", body: "x".repeat(100_000) })).status).toBe(503);
  });

  test("the probes answer, so that a load balancer leaves the 503 with Retry-After to the service", async () => {
    for (const [path, status] of [
      ["/healthz", "ok"],
      ["/readyz", "ready"],
    ]) {
      const reply = await ask(path ?? "");
      expect([path, reply.status, await reply.json()]).toEqual([path, 200, { status }]);
    }
  });

  test("its message can be changed while it is on", async () => {
    await raise("Back at one.");
    expect(await (await ask("/")).text()).toContain("Back at one.");
  });
});

test("a running request completes, and after maintenance the service responds as before", async () => {
  const running = ask("/slow");
  await expect.poll(() => handled).toBeGreaterThan(0);
  await raise();
  expect((await ask("/")).status).toBe(503);
  finish();
  expect(await (await running).text()).toBe("handled");
  await lower();
  expect((await ask("/")).status).toBe(200);
});

test.each([
  ["empty", ""],
  ["not JSON", "closed"],
  ["JSON of another shape", '{"message":7,"retry_after_seconds":-1}'],
  ["a JSON scalar", "null"],
])("a handmade file that is %s also turns maintenance on", async (_name, text) => {
  writeFileSync(maintenancePath(), text);
  await expect.poll(() => maintenance.current()).toBeDefined();
  const reply = await ask("/");
  expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "300"]);
  await lower();
});

test("either the row or the file closes, the file with its own message", async () => {
  await raise();
  await writeMaintenanceFile({ message: "By hand.", retryAfterSeconds: 90, since: null });
  await expect.poll(() => maintenance.current()?.message).toBe("By hand.");
  await removeMaintenanceFile();
  await expect.poll(() => maintenance.current()?.message).toBe("Back at noon.");
  await lower();
});

test("a mode that is on stays on while the database does not answer", async () => {
  await raise();
  const { pool } = await database();
  const answers = Promise.withResolvers<never>();
  const asked = Promise.withResolvers<void>();
  const query = vi.spyOn(pool, "query").mockImplementation(() => {
    asked.resolve();
    return answers.promise;
  });
  await asked.promise;
  expect((await ask("/")).status).toBe(503);
  answers.reject(new Error("The database is gone"));
  query.mockRestore();
  expect((await ask("/")).status).toBe(503);
  await lower();
});
