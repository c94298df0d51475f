import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { doorOf } from "@/lib/door/handle";
import { baseUrl, env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { OPERATIONS } from "@/lib/operations/registry";
import { objectStore } from "@/lib/storage/drivers";
import type { ObjectStore } from "@/lib/storage/object-store";
import { runsDir, tempDir } from "@/lib/storage/paths";
import { database } from "@/lib/store/postgres/database";
import {
  addPart,
  beginUnfinished,
  findUnfinished,
  listUnfinished,
  removeUnfinished,
} from "@/lib/store/sources/unfinished-uploads";
import { findUpload } from "@/lib/store/sources/uploads";
import { blobFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { signedInDevice } from "@/lib/testing/device";
import { forgetObjectStore, useObjectStore } from "@/lib/testing/memory-objects";
import { connectTo, converse, statuses } from "@/lib/testing/raw-socket";
import { sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { runUpkeep } from "@/lib/worker/upkeep";
import { type Listener, startListener } from "./listener";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const BYTES_MAX = 20 * 1024 * 1024;
const ROOM = BYTES_MAX + 1000;

useTestState({ UPLOAD_BYTES: String(BYTES_MAX), UPLOADS_BYTES_WORKSPACE: String(ROOM) });

let listener: Listener;
let owner: Awaited<ReturnType<typeof builder>>;

beforeAll(async () => {
  listener = await startListener({
    door: doorOf(OPERATIONS),
    handle: (_req, res) => void res.writeHead(404).end(),
    ...{ port: 0, host: "127.0.0.1", logger: pino({ level: "silent" }) },
    settings: { ...env(), PARQUETRY_TRUSTED_PROXIES: [] },
    bounds: { fileBytes: BYTES_MAX },
  });
});
beforeEach(async () => {
  for (const file of await listUnfinished()) await removeUnfinished(file);
  owner = await builder();
});
afterAll(() => listener.close(500));

async function builder() {
  const { workspaceId, userId } = await newWorkspace();
  await (await database()).prisma.workspace.update({ where: { id: workspaceId }, data: { plan: "paid" } });
  const scope = "datasets:read datasets:build";
  return {
    workspaceId,
    browser: { cookie: await sessionCookie(userId), origin: new URL(baseUrl()).origin },
    terminal: { "x-api-key": await signedInDevice(baseUrl(), { userId, workspaceId }, { scope }) },
  };
}

const hashOf = (text: string) => createHash("sha256").update(text);
const digestOf = (text: string) => `sha-256=:${hashOf(text).digest("base64")}:`;
const pathOf = (name: string, by = owner) => `/api/v2/build/workspaces/${by.workspaceId}/uploads/${name}`;
const fileOf = (text: string, by = owner) => ({
  ...{ workspaceId: by.workspaceId, digest: hashOf(text).digest("hex"), totalBytes: text.length },
});

/** Sends the bytes of a file from one place to another, or without a place asks how much has arrived. */
async function send(text: string, place?: [number, number], more: Record<string, string> = {}, by = owner) {
  const range = place ? `${place[0]}-${place[1] - 1}` : "*";
  const headers = { ...by.terminal, "content-range": `bytes ${range}/${text.length}`, "repr-digest": digestOf(text) };
  const init = { method: "PUT", headers: { ...headers, ...more }, ...(place && { body: text.slice(...place) }) };
  const reply = await fetch(`${listener.url}${pathOf("levels", by)}`, init);
  return { status: reply.status, offset: reply.headers.get("upload-offset"), json: await reply.json() };
}

/** The head of a request for a part. The test sends the body. */
function beginPart([from, to]: [number, number]) {
  const socket = connectTo(listener.url);
  socket.write(
    `PUT ${pathOf("levels")} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nx-api-key: ${owner.terminal["x-api-key"]}\r\n` +
      `repr-digest: ${digestOf(TEXT)}\r\ncontent-range: bytes ${from}-${to - 1}/${TEXT.length}\r\n` +
      `content-length: ${to - from}\r\n\r\n`,
  );
  const received = (async () => {
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    return text;
  })();
  received.catch(() => undefined);
  return { socket, received };
}

const storedBytes = async (text: string) => (await findUnfinished(fileOf(text)))?.storedBytes;

/** The keys of all parts. */
async function storedParts(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of objectStore().list("uploads/")) keys.push(key);
  return keys.sort();
}

/** The configured storage, of which one method is replaced for `work`. */
async function withStorage<K extends keyof ObjectStore>(name: K, method: ObjectStore[K], work: () => Promise<unknown>) {
  useObjectStore({ ...objectStore(), [name]: method });
  try {
    await work();
  } finally {
    forgetObjectStore();
  }
}

/** A part's own file. */
function partFile(text: string) {
  const path = join(tempDir(), `part-${randomUUID()}`);
  writeFileSync(path, text);
  return { path, digest: hashOf(text).digest("hex"), bytes: text.length };
}

const TEXT = "gauge;level\nA;1\nB;2\n";

test("parts in order become the file: each reply says how much has arrived, only the last is the upload", async () => {
  expect(await send(TEXT)).toMatchObject({ status: 202, offset: "0", json: { outcome: "partial", upload: null } });
  expect(await send(TEXT, [0, 5])).toMatchObject({ status: 202, offset: "5", json: { held_bytes: 5 } });
  expect(await send(TEXT, [5, 12])).toMatchObject({ status: 202, offset: "12" });
  const last = await send(TEXT, [12, TEXT.length]);
  const { digest } = fileOf(TEXT);
  const upload = { name: "levels", content_digest: `sha256:${digest}`, bytes: TEXT.length };
  expect(last).toMatchObject({ status: 201, offset: null, json: { outcome: "stored", upload } });
  expect(readFileSync(blobFile(digest), "utf8")).toBe(TEXT);
  expect([await listUnfinished(), await storedParts()]).toEqual([[], []]);
  expect(await send(TEXT)).toMatchObject({ status: 201, json: { outcome: "unchanged", upload } });
});

test("a part at the wrong place is 416 with the received length, and changes nothing", async () => {
  await send(TEXT, [0, 5]);
  for (const place of [
    [0, 5],
    [4, 9],
    [6, 12],
  ] as [number, number][])
    expect(await send(TEXT, place)).toMatchObject({
      status: 416,
      offset: "5",
      json: { error: "range_not_satisfiable", message: expect.stringContaining("begins at byte 5") },
    });
  const other = await builder();
  expect(await send(TEXT, [5, 9], {}, other)).toMatchObject({ status: 416, offset: "0" });
  expect(await storedBytes(TEXT)).toBe(5);
});

test("if two clients send the same part at once, one is stored, and the other is told", async () => {
  const slow = beginPart([0, 9]);
  slow.socket.write(TEXT.slice(0, 4));
  await expect.poll(() => readdirSync(tempDir())).toHaveLength(1);
  expect(await send(TEXT, [0, 9])).toMatchObject({ status: 202, offset: "9" });
  slow.socket.write(TEXT.slice(4, 9));
  expect(statuses(await slow.received)).toEqual([416]);
  expect(await send(TEXT, [9, TEXT.length])).toMatchObject({ status: 201 });
});

test("of two parts that are stored at once, one counts; the other is removed, and its sender told", async () => {
  await send(TEXT, [0, 5]);
  const both = Promise.withResolvers<void>();
  let puts = 0;
  const own = objectStore();
  const put: ObjectStore["put"] = async (...part) => {
    await own.put(...part);
    puts += 1;
    if (puts === 2) both.resolve();
    await both.promise;
  };
  await withStorage("put", put, async () => {
    const replies = await Promise.all([send(TEXT, [5, 9]), send(TEXT, [5, 12])]);
    const [first, second] = replies.sort((a, b) => a.status - b.status);
    expect([first?.status, second?.status]).toEqual([202, 409]);
    expect(second).toMatchObject({ offset: first?.offset, json: { error: "conflict" } });
  });
  const { id } = (await findUnfinished(fileOf(TEXT))) ?? {};
  const at = (await storedBytes(TEXT)) ?? 0;
  expect(await storedParts()).toEqual([`uploads/${id}/0-5`, `uploads/${id}/5-${at - 5}`]);
  expect(await send(TEXT, [at, TEXT.length])).toMatchObject({ status: 201 });
});

test("a part of a file that was removed meanwhile counts for nothing", async () => {
  const names = { name: "levels", fileName: "" };
  const begun = await beginUnfinished(fileOf(TEXT), names, new Date());
  await removeUnfinished(begun);
  expect(await addPart(begun, partFile("gauge"), new Date())).toBeUndefined();
  expect(await storedParts()).toEqual([]);
});

test("a file of which a part is lost is discarded, and can be sent again", async () => {
  await send(TEXT, [0, 5]);
  const [key = ""] = await storedParts();
  await objectStore().remove(key);
  expect(await send(TEXT, [5, TEXT.length])).toMatchObject({ status: 400, json: { error: "invalid_value" } });
  expect(await listUnfinished()).toEqual([]);
  expect(await send(TEXT, [0, TEXT.length])).toMatchObject({ status: 201 });
});

test("the parts remain while storage cannot be read, and become the file afterwards", async () => {
  await send(TEXT, [0, 5]);
  const open = () => Promise.reject(fail("unavailable", { retryAfterSeconds: 5 }));
  await withStorage("open", open, async () =>
    expect(await send(TEXT, [5, TEXT.length])).toMatchObject({ status: 503, json: { error: "unavailable" } }),
  );
  expect(await storedBytes(TEXT)).toBe(TEXT.length);
  expect(await send(TEXT)).toMatchObject({ status: 201, json: { outcome: "stored" } });
});

test("a file arrives in 10,000 parts at most", async () => {
  await beginUnfinished(fileOf(TEXT), { name: "levels", fileName: "" }, new Date());
  const { pool } = await database();
  await pool.query(`UPDATE "UnfinishedUpload" SET parts = array_fill(0, ARRAY[10000])`);
  expect(await send(TEXT, [0, 5])).toMatchObject({
    status: 409,
    offset: null,
    json: { message: expect.stringContaining("10,000 parts") },
  });
});

test("a part that is malformed, too large or not what it declares is rejected and not stored", async () => {
  const tries: [Record<string, string>, string, number][] = [
    [{ "content-range": "bytes 5-2/20" }, "a", 400],
    [{ "content-range": "bytes 0-20/20" }, "a", 400],
    [{ "content-range": "bytes 0-0/0" }, "a", 400],
    [{ "content-range": "lines 0-0/20" }, "a", 400],
    [{ "content-range": `bytes 0-0/${"9".repeat(16)}` }, "a", 400],
    [{ "content-range": "bytes 0-1/20" }, "a", 400],
    [{ "content-range": "bytes */20" }, "a", 400],
    [{ "content-range": "bytes 0-0/20", "repr-digest": "md5=:x:" }, "a", 400],
    [{ "content-range": "bytes 0-0/20", "repr-digest": "sha-256=:x:" }, "a", 400],
    [{ "content-range": `bytes 0-0/${BYTES_MAX + 1}` }, "a", 413],
    [{ "content-range": `bytes 0-${16 * 1024 * 1024}/${BYTES_MAX}` }, "a".repeat(16 * 1024 * 1024 + 1), 413],
    [{ "content-digest": digestOf("other"), "content-range": "bytes 0-0/20" }, "a", 400],
  ];
  for (const [more, body, status] of tries) {
    const headers = { ...owner.terminal, "repr-digest": digestOf(TEXT), ...more };
    const lines = Object.entries({ ...headers, "content-length": String(body.length) });
    const head = `PUT ${pathOf("bad")} HTTP/1.1\r\nHost: x\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}`;
    const { received } = await converse(listener.url, [`${head}\r\n`, body.slice(0, 100_000)]);
    expect([more, statuses(received)]).toEqual([more, [status]]);
  }
  expect(await listUnfinished()).toEqual([]);
});

test("parts that form a different file are removed, and a sender that breaks off loses only its part", async () => {
  await send(TEXT, [0, 5]);
  const { socket } = beginPart([5, 12]);
  socket.write(TEXT.slice(5, 8));
  await expect.poll(() => readdirSync(tempDir())).toHaveLength(1);
  socket.destroy();
  await once(socket, "close");
  await expect.poll(() => readdirSync(tempDir())).toEqual([]);
  expect(await send(TEXT)).toMatchObject({ status: 202, offset: "5" });
  const more = { "content-range": `bytes 5-${TEXT.length - 1}/${TEXT.length}`, "repr-digest": digestOf(TEXT) };
  const wrong = await send(TEXT.replace("A", "X"), [5, TEXT.length], more);
  expect(wrong).toMatchObject({
    status: 400,
    json: { message: expect.stringContaining("SHA-256 of the assembled file is not") },
  });
  expect([await listUnfinished(), await findUpload(owner.workspaceId, "levels")]).toEqual([[], undefined]);
});

test("an unfinished upload reserves its full size, is listed, and frees its size when deleted", async () => {
  const large = "x".repeat(BYTES_MAX);
  await send(large, [0, 10]);
  const second = "y".repeat(1001);
  expect(await send(second, [0, 10])).toMatchObject({
    status: 409,
    json: { message: expect.stringContaining("unfinished files") },
  });
  const whole = { method: "PUT", headers: owner.terminal, body: second };
  expect((await fetch(`${listener.url}${pathOf("whole")}`, whole)).status).toBe(409);
  const listed = await fetch(`${listener.url}${pathOf("")}`.replace(/\/$/, ""), { headers: owner.terminal });
  const content_digest = `sha256:${fileOf(large).digest}`;
  expect(await listed.json()).toMatchObject({
    ...{ bytes: 0, uploads: [] },
    unfinished: [{ name: "levels", file_name: null, content_digest, held_bytes: 10, total_bytes: BYTES_MAX }],
  });
  const url = `${listener.url}${pathOf("any")}?digest=${content_digest}`;
  const gone = await fetch(url, { method: "DELETE", headers: owner.terminal });
  expect([gone.status, await gone.json()]).toEqual([200, { deleted: 1 }]);
  expect(await send(second, [0, 10])).toMatchObject({ status: 202 });
});

test("eight files of a workspace may be unfinished", async () => {
  const texts = Array.from({ length: 9 }, (_, at) => `file ${at}`);
  const replies = [];
  for (const text of texts) replies.push((await send(text, [0, 3])).status);
  expect(replies).toEqual([...new Array(8).fill(202), 409]);
  expect(await send("file 0", [3, 6])).toMatchObject({ status: 201 });
  expect(await send("file 8", [0, 3])).toMatchObject({ status: 202 });
});

test("an unfinished file is removed two days after its last part", async () => {
  await send(TEXT, [0, 5]);
  await runUpkeep(new Date(Date.now() + 1.9 * DAY_MS));
  expect(await storedBytes(TEXT)).toBe(5);
  await runUpkeep(new Date(Date.now() + 2.1 * DAY_MS));
  expect([await listUnfinished(), await storedParts()]).toEqual([[], []]);
  expect(await send(TEXT, [5, 9])).toMatchObject({ status: 416, offset: "0" });
});

test("what belongs to no file is removed after two days, as parts of a deleted workspace", async () => {
  await send(TEXT, [0, 5]);
  const [own = ""] = await storedParts();
  const lost = partFile("of nobody");
  await objectStore().put(`uploads/${randomUUID()}/0-9`, lost.digest, lost.path);
  const atFullHour = (days: number) => new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + days * DAY_MS);
  const recent = () =>
    database().then(({ pool }) => pool.query(`UPDATE "UnfinishedUpload" SET "changedAt" = now() + interval '9 days'`));
  await recent();
  await runUpkeep(atFullHour(1.9));
  expect(await storedParts()).toHaveLength(2);
  await runUpkeep(atFullHour(3));
  expect(await storedParts()).toEqual([own]);
});

test("what cannot be removed keeps nothing else from being removed", async () => {
  await send(TEXT, [0, 5]);
  const stuck = await beginUnfinished(
    { ...fileOf(TEXT), digest: "0".repeat(64) },
    { name: "a", fileName: "" },
    new Date(0),
  );
  await mkdir(join(runsDir(), "leftover.1"), { recursive: true });
  const own = objectStore();
  const removeAll: ObjectStore["removeAll"] = async (prefix) => {
    if (prefix.includes(stuck.id)) throw new Error("stuck");
    await own.removeAll(prefix);
  };
  await withStorage("removeAll", removeAll, () =>
    expect(runUpkeep(new Date(Date.now() + 2.1 * DAY_MS))).rejects.toThrow("steps failed"),
  );
  expect([await storedBytes(TEXT), await storedParts()]).toEqual([undefined, []]);
  expect(await readdir(runsDir())).toEqual([]);
});
