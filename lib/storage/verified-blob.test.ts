import { createHash, randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, open, readlink, rename, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { leastProcessorTime } from "@/lib/testing/processor-time";
import { openFile } from "./file-handle";
import { type ExpectedBlob, type OpenOptions, verified } from "./verified-blob";

const MIB = 1 << 20;
let folder: string;
const blobs: { small: string; large: string; empty: string } = { small: "", large: "", empty: "" };
const expected: Record<string, ExpectedBlob> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "blobs-"));
  for (const [name, size] of [
    ["small", MIB - 3],
    ["large", 33 * MIB + 7],
    ["empty", 0],
  ] as const) {
    const bytes = randomBytes(size);
    blobs[name] = join(folder, name);
    expected[name] = { digest: createHash("sha256").update(bytes).digest("hex"), bytes: size };
    await writeFile(blobs[name], bytes);
    await utimes(blobs[name], 1, 1);
  }
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => expect.poll(openBlobs).toEqual([])); // nothing remains open, whatever happened

async function openBlobs(): Promise<string[]> {
  const links = await Promise.all(
    readdirSync("/proc/self/fd").map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")),
  );
  return links.filter((link) => link.startsWith(folder));
}

const of = (name: keyof typeof blobs): [string, ExpectedBlob] => [blobs[name], expected[name] as ExpectedBlob];

const openVerified = (path: string, blob: ExpectedBlob, options?: OpenOptions) =>
  verified(() => openFile(path), blob, options);

/** Flips the lowest bit of one byte, in place. */
async function flip(path: string, position: number): Promise<void> {
  const file = await open(path, "r+");
  const byte = Buffer.alloc(1);
  await file.read(byte, 0, 1, position);
  await file.write(Buffer.from([(byte[0] as number) ^ 1]), 0, 1, position);
  await file.close();
}

describe("what it opens", () => {
  test("a small blob is held in memory, exact", async () => {
    const blob = await openVerified(...of("small"));
    if (blob.content.kind !== "bytes") throw new Error("expected bytes");
    expect(createHash("sha256").update(blob.content.bytes).digest("hex")).toBe(expected.small?.digest);
  });

  test("a large blob comes as the open file that was hashed, even if another takes its name", async () => {
    const blob = await openVerified(...of("large"));
    if (blob.content.kind !== "file") throw new Error("expected a file");
    await rename(blobs.large, `${blobs.large}.away`);
    await writeFile(blobs.large, "another");
    const bytes = Buffer.alloc(33 * MIB + 7);
    await blob.content.file.read(bytes, 0, bytes.length, 0);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(expected.large?.digest);
    await blob.close();
    await rename(`${blobs.large}.away`, blobs.large);
  });

  test("an empty blob", async () =>
    expect((await openVerified(...of("empty"))).content).toMatchObject({ kind: "bytes" }));

  test("ten large ones at once, four hashed at a time", async () => {
    const opened = await Promise.all(Array.from({ length: 10 }, () => openVerified(...of("large"))));
    await Promise.all(opened.map((blob) => blob.close()));
    expect(opened).toHaveLength(10);
  });
});

describe.each(["small", "large"] as const)("a %s blob that is other than expected is integrity_failure", (name) => {
  const rejected = () => expect(openVerified(...of(name))).rejects.toMatchObject({ code: "integrity_failure" });

  test.each([0, 700_000, -1])("one flipped bit at byte %i", async (position) => {
    const at = position < 0 ? (expected[name]?.bytes ?? 0) - 1 : position;
    await flip(blobs[name], at);
    await rejected();
    await flip(blobs[name], at);
    await (await openVerified(...of(name))).close();
  });

  test("cut short, and grown", async () => {
    const [path, { bytes, digest }] = of(name);
    await expect(openVerified(path, { digest, bytes: bytes - 1 })).rejects.toMatchObject({ code: "integrity_failure" });
    await expect(openVerified(path, { digest, bytes: bytes + 1 })).rejects.toMatchObject({ code: "integrity_failure" });
  });

  test("vanished, or no file", async () => {
    await expect(openVerified(join(folder, "none"), expected[name] as ExpectedBlob)).rejects.toMatchObject({
      code: "integrity_failure",
    });
    await mkdir(join(folder, "directory"), { recursive: true });
    await expect(openVerified(join(folder, "directory"), expected[name] as ExpectedBlob)).rejects.toMatchObject({
      code: "integrity_failure",
    });
  });
});

describe("ranges", () => {
  afterEach(() => vi.useRealTimers());

  test("a change after a remembered verification is found, even with the same size and times", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2_100 }); // what was touched a moment ago is not remembered
    const ranged = () => openVerified(...of("large"), { ranged: true });
    const opening = async () => (await ranged()).close();
    const hashing = await leastProcessorTime(opening, 1);
    expect(await leastProcessorTime(opening, 15)).toBeLessThan(hashing / 2); // not hashed again
    await flip(blobs.large, 5);
    await utimes(blobs.large, 1, 1);
    await expect(ranged()).rejects.toMatchObject({ code: "integrity_failure" });
    await flip(blobs.large, 5);
  });
});

describe("storage that does not answer", () => {
  test("is storage_timeout", async () => {
    await expect(openVerified(...of("large"), { timeoutMs: 0 })).rejects.toMatchObject({ code: "storage_timeout" });
    await expect(openVerified("/proc/self/mem", { digest: "0".repeat(64), bytes: 0 }, {})).rejects.toMatchObject({
      code: "integrity_failure",
    });
  });

  test("a caller that gave up is not told about a storage failure", async () => {
    const signal = AbortSignal.abort(new Error("client disconnected"));
    await expect(openVerified(...of("large"), { signal })).rejects.toThrow("client disconnected");
  });

  test("a file that shrinks while it is read is integrity_failure", async () => {
    const path = join(folder, "shrinking");
    const bytes = Buffer.alloc(3 * MIB);
    await writeFile(path, bytes);
    const digest = createHash("sha256").update(bytes).digest("hex");
    const openAndShrink = async () => {
      const file = await openFile(path);
      await truncate(path, MIB);
      return file;
    };
    await expect(verified(openAndShrink, { digest, bytes: bytes.length })).rejects.toMatchObject({
      code: "integrity_failure",
    });
  });
});
