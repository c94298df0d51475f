import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leastProcessorTime, microseconds } from "@/lib/testing/processor-time";
import { digestOfFile, sharedBuffer, ThreadHash } from "./hash-threads";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

test("many running hashes at once, each its own digest, their buffers reused", async () => {
  const digests = Array.from({ length: 20 }, async (_, index) => {
    const hash = new ThreadHash();
    const buffer = sharedBuffer(100_000);
    const whole = createHash("sha256");
    for (let turn = 0; turn <= index; turn += 1) {
      randomBytes(buffer.length).copy(buffer);
      whole.update(buffer);
      await hash.update(buffer);
    }
    const digest = await hash.digest();
    hash.release();
    return digest === whole.digest("hex");
  });
  expect(await Promise.all(digests)).not.toContain(false);
});

test("files at once, of any length, and one that is shorter than requested", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hash-"));
  const sizes = [0, 1, 1 << 20, (1 << 20) + 1, 7_000_003];
  const { signal } = new AbortController();
  await Promise.all(
    sizes.map(async (size) => {
      const bytes = randomBytes(size);
      await writeFile(join(folder, String(size)), bytes);
      const file = await open(join(folder, String(size)));
      expect(await digestOfFile(file.fd, size, signal)).toBe(sha256(bytes));
      await expect(digestOfFile(file.fd, size + 1, signal)).rejects.toMatchObject({ code: "SHORT" });
      await file.close();
    }),
  );
  await rm(folder, { recursive: true });
});

test("a bad descriptor is an error, not a hang", async () => {
  await expect(digestOfFile(1_000_000, 10, new AbortController().signal)).rejects.toMatchObject({ code: "EBADF" });
});

test("an abort ends a long hash soon, and the event loop is not blocked", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hash-"));
  const file = await open(join(folder, "long"), "w+");
  await file.truncate(2 ** 34);
  const { signal } = new AbortController();
  const part = await leastProcessorTime(() => digestOfFile(file.fd, 2 ** 27, signal));
  const stop = new AbortController();
  let turns = 0;
  const start = process.cpuUsage();
  const turning = setInterval(() => {
    turns += 1;
    if (microseconds(start) > 2 * part) stop.abort(); // a quarter of a GiB of sixteen
  }, 1);
  await expect(digestOfFile(file.fd, 2 ** 34, stop.signal)).rejects.toMatchObject({ code: "SHORT" });
  clearInterval(turning);
  expect(microseconds(start)).toBeLessThan(64 * part); // half of what the whole file would take
  expect(turns).toBeGreaterThan(3); // one, if the event loop were blocked until the end
  await file.close();
  await rm(folder, { recursive: true });
});

test("a process that waits only for a digest does not exit before it, and exits after it", () => {
  const script = `
    import { openSync } from "node:fs";
    import { digestOfFile } from "./lib/storage/hash-threads";
    const digest = await digestOfFile(openSync("package.json", "r"), 2, new AbortController().signal);
    process.stdout.write(digest);
  `;
  const { status, stdout } = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  expect([status, stdout]).toEqual([0, sha256(Buffer.from("{\n"))]);
});
