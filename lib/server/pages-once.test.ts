import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { notReadyBefore } from "@/lib/operations/check-readiness";
import { useTestState } from "@/lib/testing/database";
import { type Listener, startListener } from "./listener";
import { pagesOnce } from "./pages-once";

useTestState();

const built = Promise.withResolvers<void>();
let listener: Listener;
beforeAll(async () => {
  const load = built.promise.then(() => (_req: unknown, res: { end(text: string): void }) => res.end("drawn"));
  notReadyBefore(load);
  listener = await startListener({
    door: {
      serves: (path) => path.startsWith("/api/"),
      takesFile: () => false,
      methods: () => [],
      handle: async () => new Response("answered"),
    },
    handle: pagesOnce(load),
    port: 0,
    host: "127.0.0.1",
    settings: { PARQUETRY_TRUSTED_PROXIES: [] },
    logger: pino({ level: "silent" }),
    bounds: { lingerMs: 200 },
  });
});
afterAll(() => listener.close(1_000));

const ask = (path: string, headers: Record<string, string> = {}) => fetch(`${listener.url}${path}`, { headers });

test("until the pages are built the API works, pages say so and reload, and the service is not ready", async () => {
  expect(await (await ask("/api/anything")).text()).toBe("answered");
  const page = await ask("/datasets", { accept: "text/html" });
  expect([page.status, page.headers.get("retry-after"), page.headers.get("refresh")]).toEqual([503, "5", "5"]);
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect(await page.text()).toContain("pages of this service are being built");
  expect(await (await ask("/datasets/x/llms.txt")).text()).toContain("being built");
  expect((await ask("/readyz")).status).toBe(503);

  built.resolve();
  await expect.poll(async () => (await ask("/datasets", { accept: "text/html" })).text()).toBe("drawn");
  expect((await ask("/readyz")).status).toBe(200);
});
