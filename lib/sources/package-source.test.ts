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

function serve(tarball: Buffer) {
  const dist = {
    tarball: "https://elsewhere.example.org/@scope/data/-/data-1.2.0.tgz",
    integrity: integrityOf(TARBALL),
  };
  server.answer((request, reply) => {
    if (request.url?.endsWith(".tgz")) return void reply.end(tarball);
    reply.end(JSON.stringify({ "dist-tags": { latest: "1.2.0" }, versions: { "1.2.0": { dist } } }));
  });
}

const read = (version = "latest") =>
  readPackage(
    {
      source: { package: "@scope/data", version },
      registry: server.origin,
      path: join(folder, "tarball"),
      limits: { bytes: 1_000_000, idleMs: 5_000, mayCut: false, seconds: 60 },
    },
    {
      connecting: server.connecting(),
      signal: new AbortController().signal,
      wait: async () => undefined,
      turn: async () => () => undefined,
    },
  );

test("a tag leads to a version, and its tarball is read from the registry itself", async () => {
  serve(TARBALL);
  expect(await read()).toMatchObject({ version: "1.2.0", bytes: TARBALL.length });
  expect(await readFile(join(folder, "tarball"))).toEqual(TARBALL);
  expect(server.asked.map(({ url }) => url)).toEqual(["/@scope%2fdata", "/@scope/data/-/data-1.2.0.tgz"]);
});

test("a tarball with other bytes is refused", async () => {
  serve(Buffer.from("b tarball"));
  await expect(read()).rejects.toMatchObject({ code: "source_changed" });
  await expect(readFile(join(folder, "tarball"))).rejects.toThrow();
});

test.each(["9.9.9", "constructor", "__proto__"])("version %s that is not there is refused", async (version) => {
  serve(TARBALL);
  await expect(read(version)).rejects.toMatchObject({ code: "source_status" });
});
