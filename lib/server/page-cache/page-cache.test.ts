import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { dirname } from "node:path";
import { gunzipSync } from "node:zlib";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { CACHED_PAGES } from "@/lib/http/cacheable-pages";
import { setPageFailure, setPagePassing, setPageStatus } from "@/lib/http/page-status";
import { NONCE_HEADER } from "@/lib/http/security-headers";
import { fail } from "@/lib/kernel/errors";
import { type Listener, startListener } from "@/lib/server/listener";
import { withPageCache } from "./page-cache";

interface Service {
  /** The current state of the catalogue. Throws if the database is down. */
  generation: () => Promise<string>;
  now: number;
  /** The URLs that were rendered, in order. */
  drawn: string[];
  /** What a page shows in addition to its URL. */
  shows: string;
  /** Rendering waits for it. */
  gate: Promise<void>;
  bytes: number;
}

const PREFETCH = { rsc: "1", "next-router-prefetch": "1", "next-url": "/docs" };

let listener: Listener | undefined;
afterEach(async () => {
  await listener?.close(1000);
  listener = undefined;
});

/** A listener whose pages are cached, with a stand-in for Next. */
async function serve(own: Partial<Service> = {}): Promise<Service> {
  const service: Service = {
    ...{ generation: async () => "1", now: 0, drawn: [], shows: "a curve", gate: Promise.resolve(), bytes: 2 ** 22 },
    ...own,
  };
  const handle = withPageCache((req, res) => draw(service, req, res), {
    generation: () => service.generation(),
    bytes: service.bytes,
    now: () => service.now,
  });
  const settings = { PARQUETRY_TRUSTED_PROXIES: ["127.0.0.1"] };
  const logger = pino({ level: "silent" });
  listener = await startListener({ handle, port: 0, host: "127.0.0.1", settings, logger, bounds: { lingerMs: 200 } });
  return service;
}

async function draw(service: Service, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const nonce = String(req.headers[NONCE_HEADER]);
  service.drawn.push(`${req.method} ${req.url}`);
  await service.gate;
  if (req.url === "/topics/missing") setPageStatus(nonce, 404);
  if (req.url === "/topics/passing") setPagePassing(nonce);
  if (req.url === "/topics/withdrawn") {
    setPageFailure(nonce, fail("unavailable", { retryAfterSeconds: 3 }));
    return void res.writeHead(500, { "Content-Type": "text/html" }).end("the framework's own");
  }
  if (req.url === "/topics/moved") return void res.writeHead(307, { Location: "/datasets" }).end();
  if (req.url === "/topics/broken") throw new Error("the database hung up");
  if (req.url === "/topics/cookie") res.setHeader("Set-Cookie", "a=b");
  res.setHeader("Content-Type", "text/html; charset=utf-8");
  res.setHeader("Vary", "rsc");
  res.setHeader("ETag", '"of the drawing"');
  res.setHeader("Link", `</style.css>; rel=preload; nonce="${nonce}"`);
  for (let piece = 0; piece < 3; piece += 1) if (!res.write("<!-- -->".repeat(3000))) await once(res, "drain");
  res.write(`<script nonce="${nonce}">0</script><p>${service.shows}</p>`);
  if (req.url === "/topics/torn") res.write('<template data-dgst="5"></template>');
  res.end(
    `<script nonce="${nonce}">1</script>${JSON.stringify({ ...req.headers, [NONCE_HEADER]: "", "content-security-policy": "" })}`,
  );
}

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${listener?.url}${path}`, { headers });
const textOf = async (path: string, headers?: Record<string, string>) => (await get(path, headers)).text();
const nonceOf = (reply: Response) => /'nonce-([^']+)'/.exec(reply.headers.get("content-security-policy") ?? "")?.[1];

test("a page is rendered once, and each reply has its own nonce in policy, preloads and scripts", async () => {
  const { drawn } = await serve();
  const replies = [await get("/datasets/a"), await get("/datasets/a")];
  const nonces = replies.map(nonceOf);
  expect(new Set(nonces).size).toBe(2);
  for (const [index, reply] of replies.entries()) {
    const nonce = nonces[index];
    expect(reply.headers.get("link")).toContain(`nonce="${nonce}"`);
    const html = await reply.text();
    expect([...html.matchAll(/nonce="([^"]*)"/g)].map(([, own]) => own)).toEqual([nonce, nonce]);
    expect(reply.headers.get("etag")).toBeNull();
    expect(reply.headers.get("cache-control")).toBe("public, max-age=0, s-maxage=60, must-revalidate");
  }
  expect(drawn).toEqual(["GET /datasets/a"]);
});

test("the next reply shows a change of the catalogue, and a page is at most ten seconds old", async () => {
  const service = await serve();
  await textOf("/datasets");
  Object.assign(service, { generation: async () => "2", shows: "a new version" });
  expect(await textOf("/datasets")).toContain("a new version");
  Object.assign(service, { shows: "11 seconds ago", now: 9_999 });
  expect(await textOf("/datasets")).toContain("a new version");
  service.now = 10_000;
  expect(await textOf("/datasets")).toContain("11 seconds ago");
});

test("a popular page is rendered again before it is too old, and no reader waits for it", async () => {
  const service = await serve();
  await textOf("/datasets");
  const gate = Promise.withResolvers<void>();
  Object.assign(service, { gate: gate.promise, shows: "7 seconds ago", now: 6_999 });
  await textOf("/datasets");
  expect(service.drawn).toHaveLength(1);
  service.now = 7_000;
  expect(await textOf("/datasets")).toContain("a curve");
  await expect.poll(() => service.drawn).toHaveLength(2);
  expect(await textOf("/datasets")).toContain("a curve");
  expect(service.drawn).toHaveLength(2);
  gate.resolve();
  await expect.poll(() => textOf("/datasets")).toContain("7 seconds ago");
  service.now = 16_999;
  expect(await textOf("/datasets")).toContain("7 seconds ago");
});

test("a page whose early rendering fails is shown until ten seconds old, then rendered for its reader", async () => {
  const service = await serve();
  await textOf("/topics/a");
  let failures = 0;
  const broken = Promise.reject(new Error("the database hung up"));
  broken.catch(() => (failures += 1));
  Object.assign(service, { gate: broken, now: 9_999 });
  expect(await textOf("/topics/a")).toContain("a curve");
  await expect.poll(() => [service.drawn.length, failures]).toEqual([2, 1]);
  Object.assign(service, { gate: Promise.resolve(), shows: "later", now: 10_000 });
  expect(await textOf("/topics/a")).toContain("later");
});

test("a page being rendered when the catalogue changed is not shown to later readers", async () => {
  const before = Promise.withResolvers<void>();
  const service = await serve({ gate: before.promise });
  const first = textOf("/datasets");
  await expect.poll(() => service.drawn.length).toBe(1);
  Object.assign(service, { generation: async () => "2", gate: Promise.resolve(), shows: "after the change" });
  expect(await textOf("/datasets")).toContain("after the change");
  service.shows = "before the change";
  before.resolve();
  expect(await first).toContain("before the change");
  service.shows = "drawn once more";
  expect(await textOf("/datasets")).toContain("after the change");
  expect(service.drawn).toHaveLength(2);
});

test("a page is rendered once for its first hundred readers, even if one disconnects", async () => {
  const gate = Promise.withResolvers<void>();
  const { drawn } = await serve({ gate: gate.promise });
  const leaving = new AbortController();
  const left = fetch(`${listener?.url}/datasets/a`, { signal: leaving.signal }).catch((error: Error) => error.name);
  await expect.poll(() => drawn.length).toBe(1);
  const others = Array.from({ length: 100 }, () => textOf("/datasets/a"));
  leaving.abort();
  expect(await left).toBe("AbortError");
  gate.resolve();
  for (const html of await Promise.all(others)) expect(html).toContain("a curve");
  expect(drawn).toHaveLength(1);
});

test("one caller's many pages do not delay another's", async () => {
  const gate = Promise.withResolvers<void>();
  const { drawn } = await serve({ gate: gate.promise });
  const many = Array.from({ length: 100 }, (_, page) => textOf(`/datasets/a${page}`));
  await expect.poll(() => drawn.length).toBeGreaterThan(0);
  const other = textOf("/datasets/b", { "x-forwarded-for": "192.0.2.1" });
  await expect.poll(() => drawn).toContain("GET /datasets/b");
  const before = drawn.length;
  gate.resolve();
  for (const html of await Promise.all([...many, other])) expect(html).toContain("a curve");
  expect(before).toBeLessThan(50);
});

test("a reader does not wait for a page that waits for another caller's turn", async () => {
  const gate = Promise.withResolvers<void>();
  const { drawn } = await serve({ gate: gate.promise });
  const many = Array.from({ length: 100 }, (_, page) => textOf(`/datasets/a${page}`));
  await expect.poll(() => drawn.length).toBeGreaterThan(0);
  const last = textOf("/datasets/a99", { "x-forwarded-for": "192.0.2.1" });
  await expect.poll(() => drawn).toContain("GET /datasets/a99");
  expect(drawn.length).toBeLessThan(50);
  gate.resolve();
  await Promise.all([...many, last]);
  expect(drawn.filter((url) => url === "GET /datasets/a99")).toHaveLength(1);
});

test("a page learns nothing about its reader: no cookie, language, referrer, host or user agent", async () => {
  await serve();
  const html = await textOf("/datasets/a", {
    cookie: "session=secret",
    authorization: "Bearer secret",
    "accept-language": "secret",
    referer: "http://localhost/secret",
    "user-agent": "secret",
    "x-forwarded-host": "secret",
    "x-other": "secret",
  });
  expect(html).toContain("a curve");
  expect(html).not.toContain("secret");
});

test.each([
  ["missing", 404],
  ["passing", 200],
  ["torn", 200],
  ["cookie", 200],
  ["moved", 307],
  ["broken", 500],
  ["withdrawn", 503],
])("a page that is %s is sent with its status and rendered for each reader", async (name, status) => {
  const { drawn } = await serve();
  for (const count of [1, 2]) {
    const reply = await fetch(`${listener?.url}/topics/${name}`, { redirect: "manual" });
    expect([reply.status, drawn.length]).toEqual([status, count]);
    if (status === 404)
      expect([reply.headers.get("cache-control"), nonceOf(reply)]).toEqual([
        "no-store",
        /nonce="([^"]+)"/.exec(await reply.text())?.[1],
      ]);
  }
});

test.each([
  ["data for a link that is followed", "/datasets/a?_rsc=x", { rsc: "1", "next-router-state-tree": "[]" }],
  ["a prefetch that says too much", "/datasets/a", { ...PREFETCH, "next-url": "/".repeat(400) }],
  ["an action of the router", "/datasets/a", { ...PREFETCH, "next-action": "1" }],
  ["a long query", `/datasets?q=${"x".repeat(400)}`, {}],
  ["a comparison, which is counted", "/datasets/a/versions?from=1&to=2", {}],
  ["an explorer, whose rows are counted", "/datasets/a/t", {}],
  ["a download, which is for one person", "/datasets/a/t/download", {}],
  ["a search of the docs", "/docs/search?q=x", {}],
  ["a personal page", "/settings", {}],
  ["a path spelt differently", "/%64atasets", {}],
])("not cached: %s", async (_what, path, headers) => {
  const { drawn } = await serve();
  await textOf(path, headers);
  await textOf(path, headers);
  expect(drawn).toHaveLength(2);
});

test.each(Object.entries(CACHED_PAGES))("a parameter that %s does not read causes no rendering", async (page, kept) => {
  const { drawn } = await serve();
  const path = page.replaceAll(/\[\w+\]/g, "a");
  for (const query of [
    "",
    "?x=1",
    "?x=2&x=3",
    "?_rsc=x",
    "?utm_source=a&utm_medium=b",
    `?x=${"y".repeat(5000)}`,
    "?a?b=c",
  ])
    expect(await textOf(`${path}${query}`)).toContain("a curve");
  expect(drawn).toEqual([`GET ${path}`]);
  for (const name of kept.parameters) await textOf(`${path}?x=1&${name}=v&x=2`);
  expect(drawn).toEqual([`GET ${path}`, ...kept.parameters.map((name) => expect.stringContaining(`${name}=v`))]);
});

test("a cached page reads its parameters only as it declares them", () => {
  const pages = globSync("app/**/page.tsx").map((file) => ({
    route: `/${dirname(file).split("/").slice(1).join("/")}`,
    source: readFileSync(file, "utf8"),
  }));
  for (const route of Object.keys(CACHED_PAGES)) {
    const page = pages.find((one) => one.route === route);
    if (!page) throw new Error(`app${route} has no page`);
    const others = page.source
      .replaceAll(/\{[^{}]*\bsearchParams\b[^{}]*\}(?=: |\))/g, "") // taken from the props
      .replaceAll("searchParams: SearchParams", "")
      .replaceAll(`keptValues("${route}", searchParams)`, "")
      .replaceAll(`keptParameters("${route}", searchParams)`, "");
    expect([route, others.match(/searchParams|useSearchParams/g)]).toEqual([route, null]);
  }
});

test("prefetches are cached by all of the router's headers, separately from pages", async () => {
  const { drawn } = await serve();
  const other = { ...PREFETCH, "next-router-segment-prefetch": "/_tree" };
  for (const _ of [1, 2]) {
    expect(await textOf("/datasets/a?_rsc=x", PREFETCH)).toContain('"next-url":"/docs"');
    expect(await textOf("/datasets/a?_rsc=x", other)).toContain("/_tree");
    expect(await textOf("/datasets/a")).not.toContain("next-url");
  }
  expect(drawn).toHaveLength(3);
});

test("if the state of the catalogue is unknown, or the cache is disabled, each page is rendered", async () => {
  const { drawn } = await serve({ generation: () => Promise.reject(fail("unavailable")) });
  await textOf("/datasets");
  expect(await textOf("/datasets")).toContain("a curve");
  expect(drawn).toHaveLength(2);
  await listener?.close(1000);
  const unkept = await serve({ bytes: 0 });
  await textOf("/datasets");
  await textOf("/datasets");
  expect(unkept.drawn).toHaveLength(2);
});

test("a crawler that invents queries evicts no page without a query", async () => {
  const { drawn } = await serve({ bytes: 2 ** 20 });
  await textOf("/datasets/a");
  for (let number = 0; number < 200; number += 1) await textOf(`/datasets?q=${number}`);
  await textOf("/datasets/a");
  await textOf("/datasets?q=199");
  expect(drawn).toHaveLength(201);
  await textOf("/datasets?q=0");
  expect(drawn).toHaveLength(202);
});

test("programs get a separate page, whose head is complete", async () => {
  const { drawn } = await serve();
  await textOf("/datasets", { "user-agent": "Mozilla/5.0" });
  expect(await textOf("/datasets", { "user-agent": "Twitterbot/1.0" })).toContain("Bingbot");
  await textOf("/datasets", { "user-agent": "GPTBot" });
  expect(drawn).toHaveLength(2);
});

test("each encoding, HEAD and a range get what they requested, and Vary says so", async () => {
  const { drawn } = await serve();
  const ask = async (headers: Record<string, string>, method = "GET") => {
    const sent = request(`${listener?.url}/datasets/a`, { method, headers, agent: false }).end();
    const [reply] = (await once(sent, "response")) as [IncomingMessage];
    const body = Buffer.concat(await reply.toArray());
    return { reply, body };
  };
  const plain = await ask({});
  const packed = await ask({ "accept-encoding": "br, gzip" });
  const none = await ask({ "accept-encoding": "gzip;q=0" });
  const head = await ask({ "accept-encoding": "gzip" }, "HEAD");
  const part = await ask({ range: "bytes=0-3" });
  expect(packed.reply.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(packed.body).toString()).toContain("a curve");
  for (const { reply, body } of [plain, none, part]) {
    expect([reply.statusCode, reply.headers["content-encoding"]]).toEqual([200, undefined]);
    expect(body.toString()).toContain("a curve");
  }
  expect([head.body.length, head.reply.headers["content-length"]]).toEqual([0, String(packed.body.length)]);
  for (const { reply } of [plain, packed, none, head, part])
    expect(reply.headers.vary).toBe("rsc, Accept-Encoding, Accept");
  expect(drawn).toEqual(["GET /datasets/a"]);
});
