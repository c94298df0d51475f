import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { CreateMultipartUploadCommand, ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readSettings } from "@/lib/kernel/env";
import { sha256Hex } from "@/lib/kernel/sha256";
import { verifyBlobs } from "@/lib/publish/verify";
import { blobFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { freePort } from "@/lib/testing/free-port";
import { projectFiles } from "@/lib/testing/import-graph";
import { PackedObjects } from "@/lib/testing/made-up-driver";
import { forgetObjectStore, MemoryObjects, useObjectStore } from "@/lib/testing/memory-objects";
import { NEEDS_OBJECT_STORE, ObjectStoreServer, objectStoreProgram } from "@/lib/testing/object-store";
import { blobStore } from "./blob-store";
import { filesystemObjects } from "./filesystem-objects";
import type { ObjectStore } from "./object-store";
import { objectPath } from "./paths";
import { blobStream, proveBlob, withProvenPath } from "./read-blob";
import { type S3Settings, s3Objects } from "./s3-objects";

const state = useTestState({ READ_COPIES_MB: "0" });
const MIB = 1 << 20;
/** Larger than what is held in memory, so that both ways of hashing are used. */
const SIZES = [0, 1, 3 * MIB + 7];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(state.dataDir(), "store-"));
});
afterEach(() => {
  forgetObjectStore();
  rmSync(folder, { recursive: true, force: true });
});

interface Driver {
  name: string;
  /** Whether an object that is removed while it is open can no longer be read, instead of unchanged. */
  cutsRemoved?: true;
  make(): ObjectStore & { overwrite(key: string, bytes: Buffer): void | Promise<void> };
}

const overwriteFile = async (key: string, bytes: Buffer) => {
  rmSync(objectPath(key), { force: true }); // a link to the file that was put
  await writeFile(objectPath(key), bytes);
};

const hasObjectStore = objectStoreProgram() !== undefined;
let objects: ObjectStoreServer;
beforeAll(async () => {
  if (hasObjectStore) objects = await ObjectStoreServer.start();
});
afterAll(() => objects?.remove());

/** The settings of the driver for a store of its own, beside those of other tests. */
const s3Settings = (): S3Settings => ({
  ...readSettings({ S3_BUCKET: objects.bucket, S3_ENDPOINT: objects.endpoint, S3_PREFIX: `${randomUUID()}/` }),
  S3_CACHE_MB: 8,
});

async function objectNames({ S3_PREFIX }: S3Settings): Promise<string[]> {
  const page = new ListObjectsV2Command({ Bucket: objects.bucket, Prefix: S3_PREFIX });
  const { Contents = [] } = await objects.client().send(page);
  return Contents.map(({ Key = "" }) => Key.slice(S3_PREFIX.length));
}

function s3Driver(): ReturnType<Driver["make"]> {
  const settings = s3Settings();
  const overwrite = async (key: string, bytes: Buffer) => {
    const Key = `${settings.S3_PREFIX}${key}`;
    await objects.client().send(new PutObjectCommand({ Bucket: objects.bucket, Key, Body: bytes }));
  };
  return { ...s3Objects(settings), overwrite };
}

const DRIVERS: Driver[] = [
  { name: "filesystem", make: () => ({ ...filesystemObjects(), overwrite: overwriteFile }) },
  { name: "memory", make: () => new MemoryObjects(folder, 8 * MIB) },
  { name: "made-up", make: () => new PackedObjects(folder, 8 * MIB) },
  ...(hasObjectStore ? [{ name: "S3", make: s3Driver, cutsRemoved: true as const }] : []),
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

describe.each(DRIVERS)("the $name driver", ({ make, cutsRemoved }) => {
  let objects: ReturnType<Driver["make"]>;
  const store = blobStore();
  beforeEach(() => {
    objects = useObjectStore(make());
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

  test.each([
    ["removed", (digest: string) => store.remove(digest)],
    ["replaced", (digest: string) => objects.overwrite(store.keyOf(digest), randomBytes(1000))],
  ])("an open blob is unchanged if it is %s in the meantime, or no longer read", async (_, change) => {
    const { file, bytes, digest } = newFile(1000);
    await store.put(digest, file);
    const handle = await store.open(digest);
    await change(digest);
    const read = Buffer.alloc(1000);
    const reading = handle.read(read, 0, 1000, 0);
    if (cutsRemoved) await expect(reading).rejects.toMatchObject({ code: "ENOENT" });
    else await reading;
    await handle.close();
    expect(read.equals(cutsRemoved ? Buffer.alloc(1000) : bytes)).toBe(true);
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

  test.each(["../../etc/passwd", "", ".", "a/../b", "/a", "a//b", "a/.b", "a b", "a\nb", "a\\b", "a\u0000"])(
    "%j is no key and no digest",
    async (name) => {
      const { file, digest } = newFile(1);
      await expect((async () => store.open(name))()).rejects.toThrow(/64 hex digits/);
      await expect((async () => objects.open(name))()).rejects.toThrow(/key consists of/);
      await expect((async () => objects.put(name, digest, file))()).rejects.toThrow(/key consists of/);
      expect(existsSync(file)).toBe(true);
    },
  );

  test("objects are listed and removed by their keys and by prefixes of them", async () => {
    const keys = ["uploads/a/0-1", "uploads/a/1-1", "uploads/ab/0-1", "uploads/b"];
    for (const key of keys) {
      const { file, digest } = newFile(1);
      await objects.put(key, digest, file);
    }
    const listed = async (prefix: string) => (await collected(objects.list(prefix))).map(({ key }) => key).sort();
    expect([await listed("uploads/"), await listed("uploads/a/")]).toEqual([keys, keys.slice(0, 2)]);
    await objects.remove("uploads/b");
    await objects.removeAll("uploads/a/");
    await objects.removeAll("uploads/none/");
    expect([await listed("uploads/"), await listed("uploads/a/"), await listed("none/")]).toEqual([
      ["uploads/ab/0-1"],
      [],
      [],
    ]);
  });

  test("a key's object is replaced by another, but not by bytes of another digest", async () => {
    const [before, after, other] = [newFile(10), newFile(20), newFile(20)];
    await objects.put("any/key", before.digest, before.file);
    await objects.put("any/key", after.digest, after.file);
    await expect(objects.put("any/key", before.digest, other.file)).rejects.toMatchObject({
      code: "integrity_failure",
    });
    const handle = await objects.open("any/key");
    const read = Buffer.alloc(21);
    const { bytesRead } = await handle.read(read, 0, 21, 0);
    await handle.close();
    expect(read.subarray(0, bytesRead).equals(after.bytes)).toBe(true);
  });

  test("a copy shares no bytes with its file, which remains", async () => {
    const { file, bytes, digest } = newFile(1000);
    await store.put(digest, file, { copy: true });
    writeFileSync(file, "changed in place");
    expect((await streamed(digest, 1000)).equals(bytes)).toBe(true);
  });

  test.each(SIZES.slice(1))("changed and truncated bytes of %i are detected, and a put repairs them", async (size) => {
    const { file, bytes, digest } = newFile(size);
    const expected = { digest, bytes: size };
    await store.put(digest, file, { keep: true });
    const changed = Buffer.from(bytes);
    changed[size - 1] = (changed[size - 1] ?? 0) ^ 1;
    for (const spoilt of [changed, bytes.subarray(0, size - 1)]) {
      await objects.overwrite(store.keyOf(digest), spoilt);
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
  const store = blobStore();

  test("keeps a copy in use, however many others come and go", async () => {
    useObjectStore(new MemoryObjects(folder, 8 * MIB));
    const made = Array.from({ length: 5 }, () => newFile(3 * MIB));
    for (const { digest, file } of made) await store.put(digest, file);
    const [held, ...others] = made;
    await store.withLocalPath(held?.digest ?? "", async (path) => {
      for (const { digest } of others) await store.withLocalPath(digest, async () => undefined);
      expect(sha256Hex(readFileSync(path))).toBe(held?.digest);
    });
  });

  test("takes no more than its maximum, and keeps what was used last", async () => {
    const objects = useObjectStore(new MemoryObjects(folder, 8 * MIB));
    const made = Array.from({ length: 4 }, () => newFile(3 * MIB));
    for (const { digest, file } of made) await store.put(digest, file);
    const pathOf = (at: number) => store.withLocalPath(made[at]?.digest ?? "", async (path) => path);
    const [first, second] = [await pathOf(0), await pathOf(1)];
    expect(await pathOf(0)).toBe(first);
    const third = await pathOf(2);
    expect([first, second, third].map((path) => existsSync(path))).toEqual([true, false, true]);
    expect(objects.opened).toBe(3); // one for each copy
  });

  test("a copy that was changed on the disk is replaced", async () => {
    useObjectStore(new MemoryObjects(folder, 8 * MIB));
    const { digest, file, bytes } = newFile(1000);
    await store.put(digest, file);
    const path = await store.withLocalPath(digest, async (found) => found);
    chmodSync(path, 0o600);
    writeFileSync(path, Buffer.alloc(1000));
    await store.withLocalPath(digest, async (again) => expect(readFileSync(again).equals(bytes)).toBe(true));
  });
});

if (!hasObjectStore) test.skip(NEEDS_OBJECT_STORE, () => undefined);

describe.runIf(hasObjectStore)("objects", () => {
  const LARGE = 40 * MIB + 5; // three parts
  const store = blobStore();

  test("a file of several parts is stored and read back, in one pass and in any range", async () => {
    useObjectStore(s3Driver());
    const { file, bytes, digest } = newFile(LARGE);
    await store.put(digest, file, { keep: true });
    await store.put(digest, file);
    expect(await store.stat(digest)).toEqual({ bytes: LARGE });
    expect((await streamed(digest, LARGE)).equals(bytes)).toBe(true);
    const handle = await store.open(digest);
    const part = Buffer.alloc(100);
    for (const position of [LARGE - 100, 16 * MIB - 50, 0]) {
      for (let at = 0; at < 100; ) at += (await handle.read(part, at, 100 - at, position + at)).bytesRead;
      expect(part.equals(bytes.subarray(position, position + 100))).toBe(true);
    }
    await handle.close();
    expect(await collected(store.strays())).toEqual([]);
  });

  test("reads of one handle at the same time return the bytes of their positions", async () => {
    useObjectStore(s3Driver());
    const { file, bytes, digest } = newFile(3 * MIB);
    await store.put(digest, file);
    const handle = await store.open(digest);
    const reads = [0, 2, 1, 0].map(async (at) => {
      const read = Buffer.alloc(1000);
      const { bytesRead } = await handle.read(read, 0, 1000, at * MIB);
      return read.subarray(0, bytesRead).equals(bytes.subarray(at * MIB, at * MIB + bytesRead)) && bytesRead > 0;
    });
    expect(await Promise.all(reads)).toEqual([true, true, true, true]);
    await handle.close();
  });

  test("what is no blob is a stray, as is an upload that was never completed, and both can be removed", async () => {
    const settings = s3Settings();
    useObjectStore(s3Objects(settings));
    const objectOf = (name: string) => ({ Bucket: objects.bucket, Key: `${settings.S3_PREFIX}${name}` });
    for (const name of ["blobs/notes.txt", "blobs/of a person", "snapshots/notes.txt"])
      await objects.client().send(new PutObjectCommand({ ...objectOf(name), Body: "x" }));
    await objects.client().send(new CreateMultipartUploadCommand(objectOf("blobs/part")));
    const strays = await collected(store.strays());
    expect(strays.map(({ name }) => name)).toEqual([
      "blobs/notes.txt",
      "blobs/of a person",
      "blobs/part (incomplete upload)",
    ]);
    for (const stray of strays) await stray.remove();
    expect(await collected(store.strays())).toEqual([]);
    expect(await objectNames(settings)).toEqual(["snapshots/notes.txt"]);
  });

  test("a store that sends other bytes than the requested range is unavailable", async () => {
    const server = createServer((request, reply) => {
      reply.writeHead(200, { etag: '"e"', "content-length": "10", "last-modified": "Fri, 27 Nov 2026 00:00:00 GMT" });
      reply.end(request.method === "HEAD" ? undefined : "0123456789");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      const answering = s3Objects({ ...s3Settings(), S3_ENDPOINT: `http://127.0.0.1:${port}` });
      const handle = await answering.open("any");
      await expect(handle.read(Buffer.alloc(4), 0, 4, 4)).rejects.toMatchObject({ code: "unavailable" });
      await handle.close();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test("a store that refuses, is gone or does not answer is unavailable or timed out, never damaged", async () => {
    const settings = s3Settings();
    const { file, digest } = newFile(1000);
    const refused = { code: "unavailable" };
    await expect(s3Objects({ ...settings, S3_BUCKET: "of-others" }).stat("any")).rejects.toMatchObject(refused);
    await expect(s3Objects({ ...settings, S3_BUCKET: "of-others" }).put("any", digest, file)).rejects.toMatchObject(
      refused,
    );
    const gone = { ...settings, S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` };
    await expect(s3Objects(gone).stat("any")).rejects.toMatchObject(refused);
    const slow = s3Objects({ ...settings, STORAGE_SECONDS: 1 });
    await slow.put("any", digest, file);
    objects.hang(true);
    try {
      const codeOf = () =>
        slow.stat("any").then(
          () => "answered",
          ({ code }) => code,
        );
      await expect.poll(codeOf).toBe("storage_timeout"); // it may still answer what it had begun
    } finally {
      objects.hang(false);
    }
    expect(await slow.stat("any")).toEqual({ bytes: 1000 });
  });
});

test("the configured driver is the filesystem", async () => {
  const { file, digest } = newFile(10);
  await blobStore().put(digest, file);
  expect(existsSync(blobFile(digest))).toBe(true);
});

test("nothing outside of lib/storage builds an object's path", () => {
  const outside = projectFiles().filter(
    (path) => /\.tsx?$/.test(path) && !/^(?:lib\/storage|lib\/testing)\//.test(path),
  );
  expect(outside.length).toBeGreaterThan(500);
  const isPath = /\bobjectPath\b|DATA_DIR, "(?:blobs|snapshots|artifacts|uploads)"/;
  expect(outside.filter((path) => isPath.test(readFileSync(path, "utf8")))).toEqual([]);
});
