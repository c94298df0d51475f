import type { lookup as systemLookup } from "node:dns";
import { createServer, request as httpRequest, type RequestListener, type Server } from "node:http";
import type { request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isPublicAddress } from "@/lib/kernel/public-address";
import { type Fetching, fetchClientDocument, isDocumentAddress } from "./client-document";

const NOW = new Date("2026-06-01T00:00:00Z");
const ID = "https://agent.example.com/client.json";
const DOCUMENT = { client_id: ID, client_name: "Agent", redirect_uris: ["https://agent.example.com/callback"] };

let server: Server;
let answer: RequestListener = () => undefined;
let asked = 0;

beforeAll(async () => {
  server = createServer((req, res) => {
    asked++;
    answer(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void server.close());

/** A name that resolves to the test's server, over plain HTTP on its port; `isAllowed` decides as the service would. */
function fetching(isAllowed: (address: string) => boolean, address = "127.0.0.1"): Fetching {
  const { port } = server.address() as AddressInfo;
  const lookup = ((_name: string, _options: object, callback: (error: null, found: object[]) => void) =>
    callback(null, [{ address, family: 4 }])) as typeof systemLookup;
  const request = ((url: URL, options: object, callback: never) =>
    httpRequest(
      { ...options, hostname: url.hostname, path: url.pathname, port },
      callback,
    )) as unknown as typeof httpsRequest;
  return { lookup, isAllowed, request, timeoutMs: 60_000 };
}

const anywhere = () => true;
const json =
  (value: unknown): RequestListener =>
  (_req, res) =>
    void res.end(JSON.stringify(value));

const read = (given: RequestListener, id = ID, isAllowed: (address: string) => boolean = anywhere) => {
  answer = given;
  return fetchClientDocument(id, NOW, fetching(isAllowed));
};

test("a document describes its client", async () => {
  expect(await read(json(DOCUMENT))).toMatchObject({
    id: ID,
    kind: "document",
    name: "Agent",
    redirectUris: DOCUMENT.redirect_uris,
    authMethod: "none",
  });
});

describe("rejected:", () => {
  for (const [what, given, words] of [
    [
      "a document about another client",
      json({ ...DOCUMENT, client_id: "https://other.example/client.json" }),
      /does not match its URL/,
    ],
    [
      "a redirect, wherever to",
      ((_req, res) => void res.writeHead(302, { location: "http://127.0.0.1/" }).end()) as RequestListener,
      /302/,
    ],
    ["an error", ((_req, res) => void res.writeHead(500).end()) as RequestListener, /500/],
    ["more than 5 KiB", json({ ...DOCUMENT, more: "x".repeat(6000) }), /5 KiB/],
    ["anything but JSON", ((_req, res) => void res.end("<html>")) as RequestListener, /not valid JSON/],
    ["JSON that does not describe a client", json([]), /metadata document is invalid/],
    [
      "a URL that codes are never sent to",
      json({ ...DOCUMENT, redirect_uris: ["javascript:alert(1)"] }),
      /redirect_uri that is not allowed/,
    ],
    [
      "a client with a secret",
      json({ ...DOCUMENT, token_endpoint_auth_method: "client_secret_post" }),
      /not allowed in a client metadata/,
    ],
  ] as const) {
    test(what, async () => await expect(read(given)).rejects.toThrow(words));
  }

  test("a name that resolves to a private address, before anything is sent", async () => {
    const before = asked;
    await expect(read(json(DOCUMENT), ID, isPublicAddress)).rejects.toThrow(/public address/);
    expect(asked).toBe(before);
  });

  test("a private address itself, in every spelling", async () => {
    const before = asked;
    for (const host of ["127.0.0.1", "[::1]", "169.254.169.254", "2130706433", "0x7f.1", "[::ffff:10.0.0.1]"])
      await expect(read(json(DOCUMENT), `https://${host}/client.json`, isPublicAddress)).rejects.toThrow(
        /public address/,
      );
    expect(asked).toBe(before);
  });
});

test("a slow or missing reply times out", async () => {
  const drops: RequestListener = (_req, res) => {
    const dripping = setInterval(() => res.write(" "), 20);
    res.once("close", () => clearInterval(dripping));
  };
  for (const slow of [() => undefined, drops]) {
    answer = slow;
    const hasty = { ...fetching(anywhere), timeoutMs: 300 };
    await expect(fetchClientDocument(ID, NOW, hasty)).rejects.toThrow(/timed out/);
  }
});

test("a name is resolved once, so that it cannot change between check and request", async () => {
  answer = json(DOCUMENT);
  const { lookup, ...rest } = fetching(anywhere);
  let lookups = 0;
  const counted = ((...args: Parameters<typeof lookup>) => {
    lookups += 1;
    return lookup(...args);
  }) as typeof lookup;
  await fetchClientDocument(ID, NOW, { ...rest, lookup: counted });
  expect(lookups).toBe(1);
});

test("all network errors read the same, so that they reveal nothing about our network", async () => {
  const words: string[] = [];
  const closed = fetching(anywhere, "127.0.0.2");
  const unknown = {
    ...fetching(anywhere),
    lookup: ((_name: string, _options: object, callback: (error: Error) => void) =>
      callback(new Error("getaddrinfo ENOTFOUND"))) as never,
  };
  const broken: RequestListener = (_req, res) => void res.socket?.destroy();
  answer = broken;
  for (const way of [closed, unknown, fetching(anywhere), fetching(isPublicAddress)])
    await fetchClientDocument(ID, NOW, way).catch((error: Error) =>
      words.push(`${error.constructor.name}: ${error.message}`),
    );
  expect(new Set(words)).toEqual(
    new Set([
      "ClientDocumentError: The client metadata document cannot be fetched. It must be hosted at a public " +
        "address.",
    ]),
  );
  expect(words.length).toBe(4);
});

describe("not a document's URL:", () => {
  for (const id of [
    "http://agent.example.com/client.json",
    "https://agent.example.com",
    "https://agent.example.com/",
    "https://user@agent.example.com/client.json",
    "https://agent.example.com:8443/client.json",
    "https://agent.example.com/client.json#a",
    "https://agent.example.com/a/../client.json",
    "https://AGENT.example.com/client.json",
    `https://agent.example.com/${"a".repeat(500)}`,
    "a8a7b9f0-0000-4000-8000-000000000000",
  ]) {
    test(id.slice(0, 60), () => expect(isDocumentAddress(id)).toBe(false));
  }
});
