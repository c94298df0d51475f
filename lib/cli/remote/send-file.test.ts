import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { doorOf } from "@/lib/door/handle";
import { baseUrl, env } from "@/lib/kernel/env";
import { OPERATIONS } from "@/lib/operations/registry";
import { type Listener, startListener } from "@/lib/server/listener";
import { database } from "@/lib/store/postgres/database";
import { listUnfinished } from "@/lib/store/sources/unfinished-uploads";
import { findUpload } from "@/lib/store/sources/uploads";
import { blobFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { signedInDevice } from "@/lib/testing/device";
import { newWorkspace } from "@/lib/testing/workspace";
import { sendFile } from "./send-file";

const MIB = 1024 * 1024;
const PART = 16 * MIB;

useTestState({ UPLOAD_BYTES: String(64 * MIB) });

let listener: Listener;
let workspaceId: string;
let credential: string;

beforeAll(async () => {
  listener = await startListener({
    door: doorOf(OPERATIONS),
    handle: (_req, res) => void res.writeHead(404).end(),
    ...{ port: 0, host: "127.0.0.1", logger: pino({ level: "silent" }) },
    settings: { ...env(), PARQUETRY_TRUSTED_PROXIES: [] },
  });
  const { userId, workspaceId: id } = await newWorkspace();
  await (await database()).prisma.workspace.update({ where: { id }, data: { plan: "paid" } });
  workspaceId = id;
  credential = await signedInDevice(baseUrl(), { userId, workspaceId }, { scope: "datasets:read datasets:build" });
});
afterAll(() => listener.close(500));

/** The part of an exchange that is lost with its connection, by words in the request's head; each once. */
type Losses = Map<string, "request" | "reply">;

/** A path to the service on which connections break. */
async function brokenWay(losses: Losses) {
  const ranges: string[] = [];
  const server = createServer((client) => {
    const service = connect(Number(new URL(listener.url).port), "127.0.0.1");
    let lost: "request" | "reply" | undefined;
    const end = () => {
      client.destroy();
      service.destroy();
    };
    client.on("data", (bytes) => {
      const head = bytes.toString("latin1", 0, 2000);
      const range = /content-range: bytes (\S+)\//i.exec(head)?.[1];
      if (range === undefined && lost === "request") return end(); // some of its body has arrived
      if (range !== undefined) ranges.push(range);
      const word = [...losses.keys()].find((each) => range?.startsWith(each));
      if (word !== undefined) lost = losses.get(word);
      losses.delete(word ?? "");
      service.write(bytes);
    });
    service.on("data", (bytes) => (lost === "reply" ? end() : client.write(bytes)));
    for (const socket of [client, service]) socket.on("error", end).on("close", end);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, ranges, close: () => server.close() };
}

const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("base64");

async function send(origin: string, name: string, bytes: Buffer<ArrayBuffer>, digest = digestOf(bytes)) {
  const paused: number[] = [];
  const reply = await sendFile(
    `${origin}/api/v2/build/workspaces/${workspaceId}/uploads/${name}`,
    {
      ...{ file: new Blob([bytes]), digest: `sha-256=:${digest}:`, what: "Uploading it" },
      headers: { "x-api-key": credential },
    },
    async (ms) => void paused.push(ms),
  );
  return { status: reply.status, json: reply.json as { outcome: string }, paused };
}

/** Bytes in which no two parts are alike. */
const fileOf = (size: number, seed: string) =>
  Buffer.concat(Array.from({ length: Math.ceil(size / MIB) }, (_, at) => Buffer.alloc(MIB, `${seed}${at};`))).subarray(
    0,
    size,
  );

test("a large file arrives intact although a part and the last reply are lost on the way", async () => {
  const bytes = fileOf(2 * PART + 5, "a");
  const way = await brokenWay(
    new Map([
      [`${PART}-`, "request"],
      [`${2 * PART}-`, "reply"],
    ]),
  );
  const { json, paused } = await send(way.origin, "broken", bytes);
  expect(json).toMatchObject({ outcome: "unchanged" }); // it was stored by the part whose reply was lost
  const parts = [`0-${PART - 1}`, `${PART}-${2 * PART - 1}`, `${2 * PART}-${2 * PART + 4}`];
  expect(way.ranges).toEqual(["*", parts[0], parts[1], "*", parts[1], parts[2], "*"]);
  expect(paused).toEqual([250, 250]);
  const stored = await findUpload(workspaceId, "broken");
  expect(readFileSync(blobFile(stored?.digest ?? "")).equals(bytes)).toBe(true);
  expect(await listUnfinished()).toEqual([]);
  way.close();
});

test("a file that an interrupted command left unfinished is continued, not started again", async () => {
  const bytes = fileOf(PART + MIB, "b");
  const first = new Blob([bytes.subarray(0, PART)]);
  const url = `${listener.url}/api/v2/build/workspaces/${workspaceId}/uploads/left`;
  const range = `bytes 0-${PART - 1}/${bytes.length}`;
  const headers = { "x-api-key": credential, "repr-digest": `sha-256=:${digestOf(bytes)}:`, "content-range": range };
  expect((await fetch(url, { method: "PUT", headers, body: first })).status).toBe(202);
  const way = await brokenWay(new Map());
  expect((await send(way.origin, "left", bytes)).json).toMatchObject({ outcome: "stored" });
  expect(way.ranges).toEqual(["*", `${PART}-${bytes.length - 1}`]);
  way.close();
});

test("a part that cannot become the named file is reported at once, without repeated attempts", async () => {
  const bytes = fileOf(PART + 1, "c");
  await expect(send(listener.url, "wrong", bytes, digestOf(Buffer.from("other")))).rejects.toThrow(
    /SHA-256 of the assembled file is not/,
  );
  expect(await listUnfinished()).toEqual([]);
  await expect(send(listener.url, "huge", fileOf(65 * MIB, "d"))).rejects.toThrow(/too large/);
  const way = await brokenWay(new Map());
  way.close();
  await expect(send(way.origin, "gone", bytes)).rejects.toThrow(/Cannot reach/);
});
