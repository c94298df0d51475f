import { existsSync, readdirSync } from "node:fs";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authenticateSession } from "@/lib/auth/session";
import { doorOf } from "@/lib/door/handle";
import { studioFields } from "@/lib/http/form-token";
import { baseUrl, env } from "@/lib/kernel/env";
import { sha256Hex } from "@/lib/kernel/sha256";
import { OPERATIONS } from "@/lib/operations/registry";
import { tempDir } from "@/lib/storage/paths";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { connectTo, converse, statuses } from "@/lib/testing/raw-socket";
import { sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { type Listener, startListener } from "./listener";

const BYTES_MAX = 1024 * 1024;
useTestState({ UPLOAD_BYTES: String(BYTES_MAX) });

let listener: Listener;
let person: { workspaceId: string; cookie: string; fields: Readonly<Record<string, string>> };

beforeAll(async () => {
  listener = await startListener({
    door: doorOf(OPERATIONS),
    handle: (_req, res) => void res.writeHead(404).end(),
    ...{ port: 0, host: "127.0.0.1", logger: pino({ level: "silent" }) },
    settings: { ...env(), PARQUETRY_TRUSTED_PROXIES: [] },
    bounds: { fileBytes: BYTES_MAX + 64 * 1024 },
  });
  const { workspaceId, userId } = await newWorkspace();
  await (await database()).prisma.workspace.update({ where: { id: workspaceId }, data: { plan: "paid" } });
  const cookie = await sessionCookie(userId);
  const { id } = await authenticateSession(cookie.split("=")[1] ?? "", new Date());
  person = { workspaceId, cookie, fields: studioFields(id, { workspace_id: workspaceId, form: "upload" }) };
});
afterAll(() => listener.close(500));

const formOf = (file: Blob | undefined, fileName: string, more: Record<string, string> = {}) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...person.fields, ...more })) form.append(name, value);
  if (file) form.append("file", file, fileName);
  return form;
};

async function post(body: BodyInit, headers: Record<string, string> = {}) {
  const sent = { cookie: person.cookie, origin: new URL(baseUrl()).origin, ...headers };
  const url = `${listener.url}/studio/new/uploads/answer`;
  const { status, headers: got } = await fetch(url, { method: "POST", body, headers: sent, redirect: "manual" });
  const location = got.get("location");
  return { status, told: location && Object.fromEntries(new URL(location).searchParams) };
}

const stored = async () => (await database()).prisma.upload.findMany({ orderBy: { name: "asc" } });
const drafts = () => (existsSync(tempDir()) ? readdirSync(tempDir()) : []);

test("a form without script stores exactly the bytes of its file, whatever is in them", async () => {
  const { workspaceId } = person;
  const tricky = `a;b\r\n--\r\n------geckoformboundary\r\n${"x".repeat(200_000)}\r\n--${"-".repeat(60)}\r\n1;2\r\n`;
  const workspace = { workspace: workspaceId };
  expect(await post(formOf(new Blob([tricky]), "My levels.csv", { name: "" }))).toEqual({
    ...{ status: 303, told: { ...workspace, stored: "My-levels.csv" } },
  });
  expect(await post(formOf(new Blob(["a\n1\n"]), "x.csv", { name: "named" }))).toEqual({
    ...{ status: 303, told: { ...workspace, stored: "named" } },
  });
  expect((await stored()).map(({ name, digest, fileName }) => [name, digest, fileName])).toEqual([
    ["My-levels.csv", sha256Hex(tricky), "My levels.csv"],
    ["named", sha256Hex("a\n1\n"), "x.csv"],
  ]);
});

test("a chunk may be split at any place, and the file is the same", async () => {
  const mark = "----cut";
  const text = `--${mark}\r\nContent-Disposition: form-data; name="token"\r\n\r\n${person.fields.token}\r\n`;
  const others = Object.entries({ ...person.fields, name: "cut" }).filter(([name]) => name !== "token");
  const parts = others.map(
    ([name, value]) => `--${mark}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = "\r\n----cu\r\n--";
  const head = `Content-Disposition: form-data; name="file"; filename="c"\r\nContent-Type: text/csv\r\n\r\n`;
  const body = `${text}${parts.join("")}--${mark}\r\n${head}${file}\r\n--${mark}--\r\n`;
  for (let at = body.length - file.length - mark.length - 12; at < body.length; at += 1) {
    const socket = [body.slice(0, at), body.slice(at)];
    const lines = [
      ...["POST /studio/new/uploads/answer HTTP/1.1", "Host: x", `Cookie: ${person.cookie}`],
      ...[`Origin: ${new URL(baseUrl()).origin}`, `Content-Type: multipart/form-data; boundary=${mark}`],
      `Content-Length: ${body.length}`,
    ];
    const pace = { quietMs: 0, pauseMs: 5 };
    const { received } = await converse(listener.url, [`${lines.join("\r\n")}\r\n\r\n`, ...socket], pace);
    expect([at, statuses(received), /(?:stored|unchanged)=cut/.test(received)]).toEqual([at, [303], true]);
  }
  const rows = (await stored()).filter(({ name }) => name === "cut");
  expect(rows.map(({ digest }) => digest)).toEqual([sha256Hex(file)]);
});

test("a form without a file, from another page, too large or interrupted stores nothing and says why", async () => {
  const before = await stored();
  const file = new Blob(["a\n1\n"]);
  expect((await post(formOf(undefined, ""))).told).toMatchObject({ error: "no_file" });
  expect((await post(formOf(file, "a", { token: "0".repeat(64) }))).told).toMatchObject({ error: "again" });
  expect((await post(formOf(file, "a", { workspace_id: "018f0000-0000-7000-8000-000000000000" }))).told).toMatchObject({
    error: "again",
  });
  expect((await post(formOf(new Blob([]), "empty"))).told).toMatchObject({ error: "upload_invalid" });
  expect((await post(formOf(file, "ÄÖ", { name: "../x" }))).told).toMatchObject({ error: "upload_invalid" });
  const large = new Blob(["x".repeat(BYTES_MAX + 1)]);
  expect((await post(formOf(large, "large"))).told).toMatchObject({ error: "request_too_large" });
  expect((await post("a=b", { "content-type": "application/x-www-form-urlencoded" })).told).toMatchObject({
    error: "upload_broken",
  });
  expect((await post(formOf(file, "a"), { origin: "https://elsewhere.example" })).status).toBe(403);
  expect((await post(formOf(file, "a"), { cookie: "" })).told).toMatchObject({ error: "session" });
  const endless = `--m\r\nContent-Disposition: form-data; name="${"x".repeat(50_000)}`;
  const type = { "content-type": "multipart/form-data; boundary=m" };
  expect((await post(endless, type)).told).toMatchObject({
    error: expect.stringMatching(/^upload_broken|request_too/),
  });
  const socket = connectTo(listener.url);
  const head = `POST /studio/new/uploads/answer HTTP/1.1\r\nHost: x\r\nCookie: ${person.cookie}\r\n`;
  socket.write(`${head}Content-Type: multipart/form-data; boundary=m\r\nContent-Length: 900000\r\n\r\n--m\r\n`);
  socket.destroy();
  await expect.poll(drafts).toEqual([]);
  expect(await stored()).toEqual(before);
});
