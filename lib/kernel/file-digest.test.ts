import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { fileDigest } from "./file-digest";
import { sha256Hex } from "./sha256";

const folder = mkdtempSync(join(tmpdir(), "parquetry-digest-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([0, 1, (1 << 20) + 7])("a file of %i bytes has the digest of its bytes", async (size) => {
  const [path, bytes] = [join(folder, String(size)), Buffer.alloc(size, "x")];
  writeFileSync(path, bytes);
  expect(await fileDigest(path)).toBe(sha256Hex(bytes));
});

test("a missing file is rejected", async () => {
  await expect(fileDigest(join(folder, "none"))).rejects.toMatchObject({ code: "ENOENT" });
});
