import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type SourceServer, startSource } from "@/lib/testing/source-server";
import { readPackage } from "./package-source";

let server: SourceServer;
let folder: string;
beforeAll(async () => {
  server = await startSource();
  folder = await mkdtemp(join(tmpdir(), "package-source-"));
});
beforeEach(() => {
  server.asked.length = 0;
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const TARBALL = Buffer.from("a tarball");
const integrityOf = (bytes: Buffer) => `sha512-${createHash("sha512").update(bytes).digest("base64")}`;

function serve(tarball: Buffer, { license, manifest }: { license?: unknown; manifest?: string } = {}) {
  const dist = {
    tarball: "https://elsewhere.example.org/@scope/data/-/data-1.2.0.tgz",
    integrity: integrityOf(TARBALL),
  };
  server.answer((request, reply) => {
    if (request.url?.endsWith(".tgz")) return void reply.end(tarball);
    if (request.url?.endsWith("/1.2.0"))
      return void (manifest === undefined ? reply.writeHead(404).end() : reply.end(manifest));
    const version = { dist, ...(license !== undefined && { license }) };
    reply.end(JSON.stringify({ "dist-tags": { latest: "1.2.0" }, versions: { "1.2.0": version } }));
  });
}

const read = (version = "latest") =>
  readPackage(
    {
      source: { package: "@scope/data", version },
      registry: server.origin,
      path: join(folder, "tarball"),
      limits: { bytes: 1_000_000, idleMs: 60_000, mayCut: false, seconds: 600 },
    },
    {
      connecting: server.connecting(),
      signal: new AbortController().signal,
      wait: async () => undefined,
      turn: async () => async () => undefined,
    },
  );

test("a tag resolves to a version, and its tarball is read from the registry itself", async () => {
  serve(TARBALL, { license: "MIT" });
  expect(await read()).toMatchObject({ version: "1.2.0", bytes: TARBALL.length, license: "MIT" });
  expect(await readFile(join(folder, "tarball"))).toEqual(TARBALL);
  expect(server.asked.map(({ url }) => url)).toEqual(["/@scope%2fdata", "/@scope/data/-/data-1.2.0.tgz"]);
});

test.each([
  ["a string", '{"license": "ISC"}', "ISC"],
  ["an object of old versions", '{"license": {"type": "MIT", "url": "https://example.org"}}', "MIT"],
  ["none", "{}", null],
  ["something else", '{"license": ["MIT"]}', null],
  ["an invalid document", "<html>", null],
  ["a missing manifest", undefined, null],
])("the licence is read from the version's own manifest: %s", async (_, manifest, license) => {
  serve(TARBALL, { ...(manifest !== undefined && { manifest }) });
  expect(await read()).toMatchObject({ version: "1.2.0", license });
  expect(server.asked.map(({ url }) => url).at(-1)).toBe("/@scope%2fdata/1.2.0");
});

test("a tarball with different bytes is rejected", async () => {
  serve(Buffer.from("b tarball"));
  await expect(read()).rejects.toMatchObject({ code: "source_changed" });
  await expect(readFile(join(folder, "tarball"))).rejects.toThrow();
});

test.each(["9.9.9", "constructor", "__proto__"])("version %s, which does not exist, is rejected", async (version) => {
  serve(TARBALL);
  await expect(read(version)).rejects.toMatchObject({ code: "source_status" });
});
