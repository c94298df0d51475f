import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createKey } from "@/lib/access/use-keys";
import { Failure } from "@/lib/kernel/errors";
import { forgetProcessWide } from "@/lib/kernel/process-wide";
import { verifyBlobs } from "@/lib/publish/verify";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { FaultyProxy, type StoreFault } from "@/lib/testing/faulty-proxy";
import { startInstance } from "@/lib/testing/instance";
import { forgetObjectStore } from "@/lib/testing/memory-objects";
import { NEEDS_OBJECT_STORE, ObjectStoreServer, objectStoreProgram } from "@/lib/testing/object-store";
import { publishText } from "@/lib/testing/publish-text";
import { newWorkspace } from "@/lib/testing/workspace";

const needs = objectStoreProgram() === undefined ? NEEDS_OBJECT_STORE : "";
/** A file of more than the 1 MiB that is read into memory at once. */
const ROWS = 60_000;
/** More than any request of ours asks of the store, with all attempts. */
const REQUESTS_MAX = 12;

const READ: readonly (readonly [StoreFault, string])[] = [
  ["refused", "503 unavailable"],
  ["silent", "504 storage_timeout"],
  ["slow", "504 storage_timeout"],
  ["cut", "503 unavailable"],
  ["wrong", "502 integrity_failure"],
  ["overloaded", "503 unavailable"],
  ["expired", "503 unavailable"],
];
const WRITTEN: readonly (readonly [StoreFault, string])[] = [
  ["refused", "unavailable"],
  ["silent", "storage_timeout"],
  ["cut", "unavailable"],
  ["wrong", "unavailable"], // the store rejects what arrives, and stores nothing
  ["overloaded", "unavailable"],
  ["expired", "unavailable"],
];

const cellOf = (id: number): string => createHash("sha1").update(`${id}`).digest("hex");

describe.skipIf(needs)(needs || "a service whose object store fails", () => {
  const own: Record<string, string> = { STORAGE_SECONDS: "6", READ_COPIES_MB: "0" };
  let objects: ObjectStoreServer;
  let store: FaultyProxy;
  beforeAll(async () => {
    objects = await ObjectStoreServer.start();
    store = await FaultyProxy.start(objects.endpoint);
    Object.assign(own, objects.settings(), { S3_ENDPOINT: store.url });
  });
  useTestState(own);
  let instance: Awaited<ReturnType<typeof startInstance>>;
  let table: { table_id: string; content_digest: string; bytes: number };
  let key = "";
  beforeAll(async () => {
    instance = await startInstance();
    const { workspaceId, userId } = await newWorkspace();
    ({ key } = await createKey({ kind: "use", name: "k", workspaceId, userId, expiresAt: null }, ADMINISTRATOR));
    const lines = Array.from({ length: ROWS }, (_, id) => `${id},${cellOf(id)}`);
    table = await publishText("stored", `id,value\n${lines.join("\n")}\n`);
  });
  afterAll(async () => {
    await instance?.close();
    await store?.close();
    await objects?.remove();
  });
  beforeEach(() => {
    forgetObjectStore(); // with its connections and local copies
    forgetProcessWide("verified-recently");
  });

  /** What a reply is: 200 or 206 if its bytes are right, `cut` if it ends early. */
  async function ask(path: string, init: RequestInit, fault: (bytes: Buffer) => unknown): Promise<string> {
    const headers = { "content-type": "application/json", "x-api-key": key, ...init.headers };
    const reply = await fetch(`${instance.url}/api/v2/public/tables/${table.table_id}/${path}`, { ...init, headers });
    const bytes = await reply.arrayBuffer().then(Buffer.from, () => undefined);
    if (!bytes) return "cut";
    if (reply.ok) return fault(bytes) === true ? String(reply.status) : "wrong bytes";
    const { error } = JSON.parse(bytes.toString()) as { error: string };
    const isTemporary = reply.status === 503;
    return `${reply.status} ${error}${isTemporary && !reply.headers.has("retry-after") ? " without Retry-After" : ""}`;
  }

  let asked = 0;
  const query = () => {
    asked += 1; // another row each time: none is in memory
    const id = asked;
    const body = JSON.stringify({ columns: ["value"], filters: [{ column: "id", operator: "eq", value: id }] });
    return ask("query", { method: "POST", body }, (bytes) => {
      expect(JSON.parse(bytes.toString()).rows).toEqual([{ value: cellOf(id) }]);
      return true;
    });
  };
  const sha256 = (bytes: Buffer) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  const file = () => ask("current", {}, (bytes) => sha256(bytes) === table.content_digest);
  /** The last bytes of a Parquet file. */
  const range = () =>
    ask("current", { headers: { range: "bytes=-4" } }, (bytes) => bytes.toString("latin1") === "PAR1");

  const publish = (slug: string) =>
    publishText(slug, `id,word\n1,${slug}\n`).then(
      () => "published",
      (error: unknown) => (error instanceof Failure ? error.code : String(error)),
    );

  test.each(READ)(
    "%s: readers get a status and never wrong bytes, and then what they asked for",
    async (fault, expected) => {
      const before = store.requests;
      const outcomes = await store.during(fault, () => Promise.all([query(), file(), range()]));
      expect(outcomes).toEqual([expected, expected, expected]);
      expect(store.requests - before).toBeLessThanOrEqual(3 * REQUESTS_MAX);
      expect([await query(), await file(), await range()]).toEqual(["200", "200", "206"]);
    },
  );

  test.each(WRITTEN)("%s: nothing is published, and then all of it", async (fault, expected) => {
    const before = store.requests;
    expect(await store.during(fault, () => publish(`into-${fault}`))).toBe(expected);
    expect(store.requests - before).toBeLessThanOrEqual(REQUESTS_MAX);
    const { prisma } = await database();
    expect(await prisma.version.count({ where: { table: { dataset: { slug: `into-${fault}` } } } })).toBe(0);
    expect(await publish(`into-${fault}`)).toBe("published");
    expect((await verifyBlobs()).bad).toEqual([]);
  });

  test("bytes that turn wrong after they were proven reach nobody", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10_000 }); // the object is settled
    try {
      expect([await file(), await range(), await query()]).toEqual(["200", "206", "200"]);
      const outcomes: string[] = [];
      for (const read of [range, file, query]) outcomes.push(await store.during("wrong", read));
      expect(outcomes).toEqual(["206", "cut", "200"]); // a range and a query are read from the local copy
      expect([await file(), await range(), await query()]).toEqual(["200", "206", "200"]);
    } finally {
      vi.useRealTimers();
    }
  });
});
