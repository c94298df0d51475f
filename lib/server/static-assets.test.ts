import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compressAssets } from "@/lib/start/site";
import { withCompressedAssets } from "./static-assets";

const SCRIPT = "const words = 'so often the same';\n".repeat(500);
const root = mkdtempSync(join(tmpdir(), "parquetry-assets-"));
let server: Server;

beforeAll(async () => {
  mkdirSync(join(root, ".next/static/chunks"), { recursive: true });
  writeFileSync(join(root, ".next/static/chunks/a.js"), SCRIPT);
  writeFileSync(join(root, ".next/secret.js"), "not for others");
  await compressAssets(root);
  server = createServer(withCompressedAssets(root, (req, res) => void res.end(`the framework: ${req.url}`)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => {
  server.close();
  rmSync(root, { recursive: true, force: true });
});

async function read(path: string, encoding: string): Promise<{ reply: IncomingMessage; body: Buffer }> {
  const { port } = server.address() as AddressInfo;
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: "127.0.0.1", port, path, headers: { "accept-encoding": encoding } }, resolve).once("error", reject);
  });
  return { reply, body: await buffer(reply) };
}

test("clients that accept Brotli get a compressed script, cached permanently", async () => {
  const { reply, body } = await read("/_next/static/chunks/a.js", "gzip, deflate, br");
  expect(brotliDecompressSync(body).toString()).toBe(SCRIPT);
  expect(body.byteLength).toBeLessThan(SCRIPT.length / 20);
  expect(reply.headers).toMatchObject({
    "content-encoding": "br",
    "content-type": expect.stringContaining("javascript"),
    "cache-control": "public,max-age=31536000,immutable",
    vary: "Accept-Encoding",
  });
});

for (const [what, path, encoding] of [
  ["other encodings", "/_next/static/chunks/a.js", "gzip"],
  ["Brotli rejected", "/_next/static/chunks/a.js", "gzip, br;q=0"],
  ["a file that does not exist", "/_next/static/chunks/b.js", "br"],
  ["a way out of the folder", "/_next/static/../secret.js", "br"],
  ["an encoded way out", "/_next/static/%2e%2e/secret.js", "br"],
  ["pages", "/datasets", "br"],
] as const) {
  test(`the framework answers ${what}, with the URL as received`, async () => {
    expect((await read(path, encoding)).body.toString()).toBe(`the framework: ${path}`);
  });
}
