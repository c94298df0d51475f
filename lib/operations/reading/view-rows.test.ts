import { once } from "node:events";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { env } from "@/lib/kernel/env";
import { withinSize } from "./view-rows";

const folder = mkdtempSync(join(tmpdir(), "parquetry-size-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file of that size, without its bytes, and goes on until it is stopped. */
const writing = (path: string, bytes: number) =>
  withinSize(path, {}, async ({ signal }) => {
    writeFileSync(path, "");
    truncateSync(path, bytes);
    if (signal) await once(signal, "abort");
    throw signal?.reason;
  });

test("a file that is larger than any that may be downloaded is stopped while it is written", async () => {
  await expect(writing(join(folder, "large"), env().ARTIFACT_BYTES + 1)).rejects.toMatchObject({
    code: "artifact_too_large",
  });
});

test("a file that is not is written to its end", async () => {
  const path = join(folder, "small");
  expect(await withinSize(path, {}, async () => writeFileSync(path, "rows"))).toBeUndefined();
});

test("whoever leaves stops it too", async () => {
  const leaving = new AbortController();
  const stopped = withinSize(join(folder, "left"), { signal: leaving.signal }, async ({ signal }) => {
    leaving.abort(new Error("left"));
    throw signal?.reason;
  });
  await expect(stopped).rejects.toThrow("left");
});
