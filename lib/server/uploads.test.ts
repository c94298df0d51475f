import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { request } from "node:http";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newKey } from "@/lib/auth/access-key";
import { doorOf } from "@/lib/door/handle";
import { baseUrl, env } from "@/lib/kernel/env";
import { OPERATIONS } from "@/lib/operations/registry";
import { doctor } from "@/lib/publish/doctor";
import { verifyBlobs } from "@/lib/publish/verify";
import { tempDir } from "@/lib/storage/paths";
import { database } from "@/lib/store/postgres/database";
import { blobFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { signedInDevice } from "@/lib/testing/device";
import { connectTo, converse, statuses } from "@/lib/testing/raw-socket";
import { sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { type Listener, startListener } from "./listener";

const BYTES_MAX = 2 * 1024 * 1024;
const WORKSPACE_MAX = 5 * 1024 * 1024;

useTestState({ UPLOAD_BYTES: String(BYTES_MAX), UPLOADS_BYTES_WORKSPACE: String(WORKSPACE_MAX) });

const start = (idleMs?: number) =>
  startListener({
    door: doorOf(OPERATIONS),
    handle: (_req, res) => void res.writeHead(404).end(),
    ...{ port: 0, host: "127.0.0.1", logger: pino({ level: "silent" }) },
    settings: { ...env(), PARQUETRY_TRUSTED_PROXIES: [] },
    bounds: { fileBytes: BYTES_MAX, requestMs: 400, ...(idleMs && { idleMs }) },
  });

let listener: Listener;
let owner: Awaited<ReturnType<typeof builder>>;

beforeAll(async () => {
  listener = await start();
  owner = await builder();
});
afterAll(() => listener.close(500));

/** A person with a paid workspace, and how their browser and their computer call the API. */
async function builder(plan: "paid" | "free" = "paid") {
  const { workspaceId, userId } = await newWorkspace();
  const { prisma } = await database();
  await prisma.workspace.update({ where: { id: workspaceId }, data: { plan } });
  const device = (scope: string) => signedInDevice(baseUrl(), { userId, workspaceId }, { scope });
  return {
    workspaceId,
    browser: { cookie: await sessionCookie(userId), origin: new URL(baseUrl()).origin },
    terminal: { "x-api-key": await device("datasets:read datasets:build") },
    reader: { "x-api-key": await device("datasets:read") },
  };
}

const pathOf = (name: string, workspaceId = owner.workspaceId) =>
  `/api/v2/build/workspaces/${workspaceId}/uploads/${name}`;

async function send(name: string, body: BodyInit, headers: Record<string, string>, workspaceId?: string) {
  const init = { method: "PUT", body, headers, duplex: "half" } as RequestInit;
  const reply = await fetch(`${listener.url}${pathOf(name, workspaceId)}`, init);
  return { status: reply.status, json: await reply.json() };
}

const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const bytesOf = (length: number, fill: string) => Buffer.alloc(length, fill);
const drafts = () => (existsSync(tempDir()) ? readdirSync(tempDir()) : []);
const rowsOf = async (name: string) => (await database()).prisma.upload.findMany({ where: { name } });

async function expectNothing(name: string): Promise<void> {
  await expect.poll(drafts).toEqual([]);
  expect(await rowsOf(name)).toEqual([]);
}

test("a file larger than any other body is stored by its digest, from a browser and from a terminal", async () => {
  const file = bytesOf(1024 * 1024, "level;");
  const digest = digestOf(file);
  const content = `sha-256=:${Buffer.from(digest, "hex").toString("base64")}:`;
  const stored = await send("levels?file_name=Levels.csv", file, { ...owner.browser, "content-digest": content });
  expect(stored).toMatchObject({
    status: 201,
    json: {
      upload: { name: "levels", content_digest: `sha256:${digest}`, bytes: file.length, file_name: "Levels.csv" },
      outcome: "stored",
    },
  });
  expect(existsSync(blobFile(digest))).toBe(true);
  expect(await send("levels", file, owner.terminal)).toMatchObject({ status: 201, json: { outcome: "unchanged" } });
  const second = bytesOf(1000, "x");
  expect(await send("levels", second, owner.terminal)).toMatchObject({ status: 201, json: { outcome: "stored" } });
  const listed = await fetch(`${listener.url}/api/v2/build/workspaces/${owner.workspaceId}/uploads`, {
    headers: owner.browser,
  });
  expect(await listed.json()).toMatchObject({
    uploads: [
      { content_digest: `sha256:${digestOf(second)}`, current: true },
      { content_digest: `sha256:${digest}`, current: false },
    ],
    bytes: file.length + second.length,
  });
  expect(drafts()).toEqual([]);
  expect((await verifyBlobs()).bad).toEqual([]);
  expect(await doctor({ fix: false, olderThanMs: 0 })).toEqual([]);
});

test("callers who may not build in the workspace are rejected before the file is read", async () => {
  const other = await builder();
  const free = await builder("free");
  const file = bytesOf(BYTES_MAX, "x");
  const tries: [Record<string, string>, string, number, string][] = [
    [{}, owner.workspaceId, 401, "key_missing"],
    [{ "x-api-key": newKey("use") }, owner.workspaceId, 401, "key_wrong_type"],
    [{ "x-api-key": newKey("cli") }, owner.workspaceId, 401, "key_invalid"],
    [owner.reader, owner.workspaceId, 403, "insufficient_scope"],
    [other.terminal, owner.workspaceId, 404, "not_found"],
    [other.browser, owner.workspaceId, 404, "not_found"],
    [{ ...owner.browser, origin: "https://elsewhere.example" }, owner.workspaceId, 403, "forbidden_origin"],
    [free.browser, free.workspaceId, 403, "plan_required"],
    [free.terminal, free.workspaceId, 403, "plan_required"],
  ];
  for (const [headers, workspaceId, status, error] of tries) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `PUT ${pathOf("foreign", workspaceId)} HTTP/1.1\r\nHost: x\r\n${lines.join("")}`;
    const length = `Content-Length: ${file.length}\r\nExpect: 100-continue\r\n\r\n`;
    const { received } = await converse(listener.url, `${head}${length}`);
    expect([statuses(received), received]).toEqual([[status], expect.stringContaining(`"error":"${error}"`)]);
    expect(received).toMatch(/^connection: close\r$/im);
  }
  await expectNothing("foreign");
});

test("a client that waits for 100 Continue gets it only once the file is read", async () => {
  const head = `PUT ${pathOf("awaited")} HTTP/1.1\r\nHost: x\r\nx-api-key: ${owner.terminal["x-api-key"]}\r\n`;
  const parts = [`${head}Content-Length: 4\r\nExpect: 100-continue\r\n\r\n`, "a\n1\n"];
  const { received } = await converse(listener.url, parts, { replies: 2, pauseMs: 100 });
  expect(statuses(received)).toEqual([100, 201]);
});

test("bytes that are not those of the digest are not stored, nor is an empty file", async () => {
  const digest = `sha-256=:${createHash("sha256").update("other").digest("base64")}:`;
  const wrong = await send("wrong", "a\n1\n", { ...owner.terminal, "content-digest": digest });
  expect(wrong).toMatchObject({
    status: 400,
    json: { error: "invalid_value", message: expect.stringMatching(/not /) },
  });
  expect(await send("wrong", "a\n1\n", { ...owner.terminal, "content-digest": "sha-256=:x:" })).toMatchObject({
    status: 400,
    json: { error: "invalid_request" },
  });
  expect(await send("wrong", "", owner.terminal)).toMatchObject({ status: 400, json: { error: "invalid_value" } });
  await expectNothing("wrong");
});

test("an invalid name, a compressed body and a part of an unnamed file are rejected", async () => {
  expect(await send("..%2fetc", "x", owner.terminal)).toMatchObject({ status: 404 }); // a segment cannot contain a slash
  for (const name of ["-x", "a%20b", "x".repeat(101)])
    expect([name, await send(name, "x", owner.terminal)]).toMatchObject([name, { status: 400 }]);
  expect(await send("coded", "x", { ...owner.terminal, "content-encoding": "gzip" })).toMatchObject({ status: 415 });
  const ranged = { ...owner.terminal, "content-range": "bytes 0-0/10" };
  expect(await send("coded", "x", ranged)).toMatchObject({ status: 400 });
  const secret = await send(`coded?file_name=${newKey("use")}.csv`, "x", owner.terminal);
  expect(secret).toMatchObject({ status: 400, json: { error: "invalid_value" } });
  await expectNothing("coded");
});

test("a file that is too large is rejected, whether its length is declared or not", async () => {
  const file = bytesOf(BYTES_MAX + 1, "x");
  const head = `PUT ${pathOf("large")} HTTP/1.1\r\nHost: x\r\nx-api-key: ${owner.terminal["x-api-key"]}\r\n`;
  const declared = await converse(listener.url, `${head}Content-Length: ${file.length}\r\n\r\n`);
  expect(statuses(declared.received)).toEqual([413]);
  const chunk = `${file.length.toString(16)}\r\n${file.toString("latin1")}\r\n0\r\n\r\n`;
  const undeclared = await converse(listener.url, [`${head}Transfer-Encoding: chunked\r\n\r\n`, chunk]);
  expect(statuses(undeclared.received)).toEqual([413]);
  await expectNothing("large");
});

test("a sender that is killed midway leaves nothing", async () => {
  const head = `PUT ${pathOf("killed")} HTTP/1.1\r\nHost: x\r\nx-api-key: ${owner.terminal["x-api-key"]}\r\n`;
  const socket = connectTo(listener.url);
  socket.write(`${head}Content-Length: 1000000\r\n\r\n${"x".repeat(500_000)}`);
  await expect.poll(drafts).toHaveLength(1);
  socket.destroy();
  await once(socket, "close");
  await expectNothing("killed");
});

test("a sender that trickles is told and cut off, even if it never pauses for long, and leaves nothing", async () => {
  const impatient = await start(900);
  const head = `PUT ${pathOf("slow")} HTTP/1.1\r\nHost: x\r\nx-api-key: ${owner.terminal["x-api-key"]}\r\n`;
  const parts = [`${head}Content-Length: 1000\r\n\r\n`, ..."x".repeat(60)];
  const { received, sent } = await converse(impatient.url, parts, { pauseMs: 100, quietMs: 60_000 });
  await impatient.close(0);
  expect(statuses(received)).toEqual([408]);
  expect(sent).toBeLessThan(parts.length);
  await expectNothing("slow");
});

test("a file may take longer than other bodies", async () => {
  const head = `PUT ${pathOf("patient")} HTTP/1.1\r\nHost: x\r\nx-api-key: ${owner.terminal["x-api-key"]}\r\n`;
  const parts = [`${head}Content-Length: 150000\r\n\r\n`, ...new Array(6).fill("x".repeat(25_000))];
  const { received } = await converse(listener.url, parts, { pauseMs: 150 });
  expect(statuses(received)).toEqual([201]);
});

/** A file of the owner's whose second half is sent when the test says so. */
function halved(name: string) {
  const sending = request(`${listener.url}${pathOf(name)}`, { method: "PUT", headers: owner.terminal });
  const status = new Promise((resolve) => sending.on("response", (reply) => resolve(reply.resume().statusCode)));
  sending.write(bytesOf(100_000, "h"));
  return { status, finish: () => sending.end(bytesOf(100_000, name)) };
}

test("unfinished files of a workspace delay its own next one, and no other workspace's", async () => {
  const slow = ["one", "two"].map(halved);
  await expect.poll(() => drafts().length).toBe(2);
  const next = send("own-next", "a;b", owner.terminal);
  const other = await builder();
  const ended: string[] = [];
  void next.then(() => ended.push("its own"));
  expect(await send("others", "a;b", other.terminal, other.workspaceId)).toMatchObject({ status: 201 });
  expect(ended).toEqual([]);
  for (const { finish } of slow) finish();
  expect(await next).toMatchObject({ status: 201 });
  expect(await Promise.all(slow.map(({ status }) => status))).toEqual([201, 201]);
});

test("two files at once with room for only one: one is stored, and the other is rejected with the reason", async () => {
  const full = await builder();
  const filler = bytesOf(BYTES_MAX, "f");
  expect(await send("filler", filler, full.terminal, full.workspaceId)).toMatchObject({ status: 201 });
  const both = await Promise.all(
    ["a", "b"].map((name) => send(name, bytesOf(BYTES_MAX, name), full.terminal, full.workspaceId)),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(both.find(({ status }) => status === 409)?.json.message).toMatch(/would exceed/);
  // the same bytes under another name need no additional space
  const content = `sha-256=:${createHash("sha256").update(filler).digest("base64")}:`;
  const again = { ...full.terminal, "content-digest": content };
  expect(await send("filler-again", filler, again, full.workspaceId)).toMatchObject({ status: 201 });
  expect(drafts()).toEqual([]);
  const url = `${listener.url}${pathOf("filler", full.workspaceId)}`;
  const gone = await fetch(url, { method: "DELETE", headers: full.browser });
  expect([gone.status, await gone.json()]).toEqual([200, { deleted: 1 }]);
  expect(existsSync(blobFile(digestOf(filler)))).toBe(true); // it has another name
  await fetch(url.replace("filler", "filler-again"), { method: "DELETE", headers: full.browser });
  expect(existsSync(blobFile(digestOf(filler)))).toBe(false);
  expect((await fetch(url, { method: "DELETE", headers: owner.browser })).status).toBe(404);
});
