import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256Hex } from "@/lib/kernel/sha256";
import { verifyBlobs } from "@/lib/publish/verify";
import { blobFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { projectFiles } from "@/lib/testing/import-graph";
import { PackedBlobs } from "@/lib/testing/made-up-driver";
import { forgetBlobStore, MemoryBlobs, useBlobStore } from "@/lib/testing/memory-blobs";
import { type BlobStore, blobStore } from "./blob-store";
import { filesystemBlobs } from "./filesystem-blobs";
import { blobStream, proveBlob, withProvenPath } from "./read-blob";

const state = useTestState({ READ_COPIES_MB: "0" });
const MIB = 1 << 20;
/** Larger than what is held in memory, so that both ways of hashing are used. */
const SIZES = [0, 1, 3 * MIB + 7];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(state.dataDir(), "store-"));
});
afterEach(() => {
  forgetBlobStore();
  rmSync(folder, { recursive: true, force: true });
});

interface Driver {
  name: string;
  make(): BlobStore & { overwrite(digest: string, bytes: Buffer): void | Promise<void> };
}

const overwriteFile = async (digest: string, bytes: Buffer) => {
  rmSync(blobFile(digest), { force: true }); // a link to the file that was put
  await writeFile(blobFile(digest), bytes);
};

const DRIVERS: Driver[] = [
  { name: "filesystem", make: () => ({ ...filesystemBlobs(), overwrite: overwriteFile }) },
  { name: "memory", make: () => new MemoryBlobs(folder, 8 * MIB) },
  { name: "made-up", make: () => new PackedBlobs(folder, 8 * MIB) },
];

/** A file with its own bytes, and their digest. */
function newFile(size: number): { file: string; bytes: Buffer; digest: string } {
  const bytes = randomBytes(size);
  const file = join(folder, randomBytes(8).toString("hex"));
  writeFileSync(file, bytes);
  return { file, bytes, digest: sha256Hex(bytes) };
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const streamed = async (digest: string, bytes: number) =>
  Buffer.concat((await collected(blobStream({ digest, bytes }))) as Buffer[]);

describe.each(DRIVERS)("the $name driver", ({ make }) => {
  let store: ReturnType<Driver["make"]>;
  beforeEach(() => {
    store = useBlobStore(make());
  });

  test.each(SIZES)("stores %i bytes, reports their number and returns them", async (size) => {
    const { file, bytes, digest } = newFile(size);
    await store.put(digest, file);
    expect(await store.stat(digest)).toEqual({ bytes: size });
    expect((await streamed(digest, size)).equals(bytes)).toBe(true);
    await proveBlob({ digest, bytes: size });
  });

  test("keeps the source file if requested", async () => {
    const { file, bytes, digest } = newFile(1000);
    await store.put(digest, file, { keep: true });
    await store.put(digest, file, { keep: true });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    await store.put(digest, file);
    expect([await store.stat(digest), await collected(store.strays())]).toEqual([{ bytes: 1000 }, []]);
  });

  test("a blob put many times at once is stored once, complete", async () => {
    const { bytes, digest } = newFile(2 * MIB);
    const files = Array.from({ length: 8 }, (_, at) => join(folder, `same-${at}`));
    for (const file of files) writeFileSync(file, bytes);
    await Promise.all(files.map((file, at) => store.put(digest, file, { keep: at % 2 === 0 })));
    expect((await collected(store.list())).filter((blob) => blob.digest === digest)).toHaveLength(1);
    expect(await collected(store.strays())).toEqual([]);
    expect((await streamed(digest, bytes.length)).equals(bytes)).toBe(true);
  });

  test.each([false, true])("rejects bytes of another digest (keep: %s), and stores nothing", async (keep) => {
    const { file } = newFile(10);
    const digest = sha256Hex("other bytes");
    await expect(store.put(digest, file, { keep })).rejects.toMatchObject({ code: "integrity_failure" });
    expect([await store.stat(digest), await collected(store.strays())]).toEqual([undefined, []]);
  });

  test("reads any range, and nothing at or beyond the end", async () => {
    const { file, bytes, digest } = newFile(1000);
    await store.put(digest, file);
    const handle = await store.open(digest);
    const read = async (position: number, length: number) => {
      const target = Buffer.alloc(length + 1);
      const { bytesRead } = await handle.read(target, 1, length, position);
      return target.subarray(1, bytesRead + 1).toString("hex");
    };
    for (const [start, length] of [
      [0, 1],
      [0, 1000],
      [999, 1],
      [990, 50],
      [500, 0],
      [1000, 10],
      [5000, 10],
    ] as const)
      expect(await read(start, length)).toBe(bytes.subarray(start, start + length).toString("hex"));
    await handle.close();
  });

  test("an open blob is unchanged even if it is removed or replaced in the meantime", async () => {
    const { file, bytes, digest } = newFile(1000);
    await store.put(digest, file);
    const handle = await store.open(digest);
    await store.remove(digest);
    const read = Buffer.alloc(1000);
    await handle.read(read, 0, 1000, 0);
    await handle.close();
    expect(read.equals(bytes)).toBe(true);
  });

  test("lists every blob with its size, and none that was removed", async () => {
    const made = [newFile(1), newFile(2), newFile(3)];
    for (const { digest, file } of made) await store.put(digest, file);
    const listed = async () => {
      const digests = new Set(made.map(({ digest }) => digest));
      return (await collected(store.list())).filter(({ digest }) => digests.has(digest)).map(({ bytes }) => bytes);
    };
    expect((await listed()).sort()).toEqual([1, 2, 3]);
    await store.remove(made[1]?.digest ?? "");
    await store.remove(made[1]?.digest ?? "");
    expect((await listed()).sort()).toEqual([1, 3]);
  });

  test("a missing blob has no size, does not open, and is integrity_failure if it is needed", async () => {
    const digest = sha256Hex("nowhere");
    expect(await store.stat(digest)).toBeUndefined();
    await expect(store.open(digest)).rejects.toMatchObject({ code: "ENOENT" });
    const rejected = { code: "integrity_failure" };
    await expect(proveBlob({ digest, bytes: 7 })).rejects.toMatchObject(rejected);
    await expect(withProvenPath({ digest, bytes: 7 }, async () => undefined)).rejects.toMatchObject(rejected);
  });

  test("an invalid digest names nothing", async () => {
    await expect((async () => store.open("../../etc/passwd"))()).rejects.toThrow();
  });

  test.each(SIZES.slice(1))("changed and truncated bytes of %i are detected, and a put repairs them", async (size) => {
    const { file, bytes, digest } = newFile(size);
    const expected = { digest, bytes: size };
    await store.put(digest, file, { keep: true });
    const changed = Buffer.from(bytes);
    changed[size - 1] = (changed[size - 1] ?? 0) ^ 1;
    for (const spoilt of [changed, bytes.subarray(0, size - 1)]) {
      await store.overwrite(digest, spoilt);
      const rejected = { code: "integrity_failure" };
      await expect(proveBlob(expected)).rejects.toMatchObject(rejected);
      await expect(streamed(digest, size)).rejects.toMatchObject(rejected);
      await expect(withProvenPath(expected, async () => undefined)).rejects.toMatchObject(rejected);
      expect((await verifyBlobs()).bad).toContainEqual({ digest, problem: "damaged" });
    }
    await store.put(digest, file);
    await proveBlob(expected);
    await withProvenPath(expected, async (path) => expect((await readFile(path)).equals(bytes)).toBe(true));
  });

  test("a local path is in the local folder and stays valid while in use, whatever else is requested", async () => {
    const made = Array.from({ length: 6 }, () => newFile(3 * MIB));
    for (const { digest, file } of made) await store.put(digest, file);
    const readAll = async (paths: string[], rest: typeof made): Promise<void> => {
      const [next, ...others] = rest;
      if (!next) return expect(paths.map((path) => sha256Hex(readFileSync(path)))).toEqual(made.map((m) => m.digest));
      await withProvenPath({ digest: next.digest, bytes: next.bytes.length }, (path) => {
        expect(path.startsWith(`${store.localFolder()}/`)).toBe(true);
        return readAll([...paths, path], others);
      });
    };
    await readAll([], made);
  });
});

describe("the cache of local copies", () => {
  test("keeps a copy in use, however many others come and go", async () => {
    const store = useBlobStore(new MemoryBlobs(folder, 8 * MIB));
    const made = Array.from({ length: 5 }, () => newFile(3 * MIB));
    for (const { digest, file } of made) await store.put(digest, file);
    const [held, ...others] = made;
    await store.withLocalPath(held?.digest ?? "", async (path) => {
      for (const { digest } of others) await store.withLocalPath(digest, async () => undefined);
      expect(sha256Hex(readFileSync(path))).toBe(held?.digest);
    });
  });

  test("takes no more than its maximum, and keeps what was used last", async () => {
    const store = useBlobStore(new MemoryBlobs(folder, 8 * MIB));
    const made = Array.from({ length: 4 }, () => newFile(3 * MIB));
    for (const { digest, file } of made) await store.put(digest, file);
    const pathOf = (at: number) => store.withLocalPath(made[at]?.digest ?? "", async (path) => path);
    const [first, second] = [await pathOf(0), await pathOf(1)];
    expect(await pathOf(0)).toBe(first);
    const third = await pathOf(2);
    expect([first, second, third].map((path) => existsSync(path))).toEqual([true, false, true]);
    expect(store.opened).toBe(3); // one for each copy
  });

  test("a copy that was changed on the disk is replaced", async () => {
    const store = useBlobStore(new MemoryBlobs(folder, 8 * MIB));
    const { digest, file, bytes } = newFile(1000);
    await store.put(digest, file);
    const path = await store.withLocalPath(digest, async (found) => found);
    chmodSync(path, 0o600);
    writeFileSync(path, Buffer.alloc(1000));
    await store.withLocalPath(digest, async (again) => expect(readFileSync(again).equals(bytes)).toBe(true));
  });
});

test("the configured driver is the filesystem", async () => {
  const { file, digest } = newFile(10);
  await blobStore().put(digest, file);
  expect(existsSync(blobFile(digest))).toBe(true);
});

test("nothing outside of lib/storage builds a blob's path", () => {
  const outside = projectFiles().filter(
    (path) => /\.tsx?$/.test(path) && !/^(?:lib\/storage|lib\/testing)\//.test(path),
  );
  expect(outside.length).toBeGreaterThan(500);
  const isPath = /\bblobPath\b|\bblobsDir\b|DATA_DIR, "blobs"/;
  expect(outside.filter((path) => isPath.test(readFileSync(path, "utf8")))).toEqual([]);
});
