import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { newKey } from "@/lib/auth/access-key";
import { callCommand } from "@/lib/testing/command";
import { useRemoteService } from "@/lib/testing/remote-service";
import { keepCredential } from "./credential-file";

const remote = useRemoteService();
const folder = mkdtempSync(join(tmpdir(), "parquetry-upload-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WORKSPACE = "018f0000-0000-7000-8000-000000000000";

/** Signs this computer in, and answers an upload as the service does. */
function signedIn(reply: { status?: number; body: object }) {
  const credential = newKey("cli");
  keepCredential(remote.url, credential, new Date("2027-01-01T00:00:00Z"));
  const sent: { request: IncomingMessage; body: string }[] = [];
  const holder = { active: true, scope: "datasets:build", exp: 2_000_000_000, username: "a@example.com" };
  remote.answers = (path, body, request) => {
    if (path === "/introspect")
      return { body: { ...holder, workspace_id: WORKSPACE, workspace_name: "W", device_name: null } };
    if (request.method !== "PUT") return { body: remote.metadata() };
    sent.push({ request, body });
    return reply;
  };
  return { credential, sent };
}

test("upload sends the file unchanged with its digest, to the workspace of the sign-in", async () => {
  const text = "gauge;level\nA;1\n";
  const file = join(folder, "Pegel (neu).csv");
  writeFileSync(file, text);
  const upload = { content_digest: "sha256:00" };
  const { credential, sent } = signedIn({ status: 201, body: { upload, outcome: "stored" } });
  expect(await callCommand("upload", file)).toEqual({
    ...{ code: 0, stderr: "", stdout: "Stored as Pegel--neu-.csv, sha256:00\n" },
  });
  await callCommand("upload", file, "--name", "levels");
  const digest = createHash("sha256").update(text).digest("base64");
  expect(sent.map(({ request: { url, headers }, body }) => [url, headers["x-api-key"], body])).toEqual([
    [`/api/v2/build/workspaces/${WORKSPACE}/uploads/Pegel--neu-.csv?file_name=Pegel+%28neu%29.csv`, credential, text],
    [`/api/v2/build/workspaces/${WORKSPACE}/uploads/levels?file_name=Pegel+%28neu%29.csv`, credential, text],
  ]);
  expect(sent[0]?.request.headers).toMatchObject({
    "content-digest": `sha-256=:${digest}:`,
    "content-length": String(text.length),
  });
});

test("a path that is not a file, an unusable name and a rejection are reported, with status 1", async () => {
  const { sent } = signedIn({ status: 409, body: { message: "The workspace's uploads would exceed 10 bytes." } });
  const told = async (...args: string[]) => await callCommand("upload", ...args);
  expect(await told(join(folder, "missing.csv"))).toMatchObject({ code: 1, stderr: expect.stringMatching(/no|not a/) });
  expect(await told(folder, "--name", "folder")).toMatchObject({ stderr: `${folder} is not a file.\n` });
  const file = join(folder, "ÄÖÜ");
  writeFileSync(file, "");
  expect(await told(file)).toMatchObject({ code: 1, stderr: expect.stringContaining("Use --name.") });
  expect(await told(file, "--name", "empty")).toMatchObject({ stderr: `${file} is empty.\n` });
  expect(sent).toEqual([]);
  writeFileSync(file, "a\n1\n");
  expect(await told(file, "--name", "full")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("would exceed"),
  });
});

test("uploads lists files and the stored size of unfinished ones, and deletes by name", async () => {
  signedIn({ body: {} });
  const [digest, other] = ["sha256:aa", "sha256:bb"];
  const file = { bytes: 10, media_type: null, stored_at: "2026-01-01T00:00:00.000Z", last_read_at: null };
  const part = { held_bytes: 5, total_bytes: 20, changed_at: "2026-01-02T00:00:00.000Z", file_name: "neu.csv" };
  const listed = {
    uploads: [{ ...file, name: "levels", content_digest: digest, file_name: "levels.csv", current: true }],
    unfinished: [{ ...part, name: "levels", content_digest: other }],
  };
  const answer = remote.answers;
  const deleted: string[] = [];
  remote.answers = (path, body, request) => {
    if (!path.startsWith("/api/v2/build/")) return answer(path, body, request);
    if (request.method === "GET") return { body: listed };
    deleted.push(request.url ?? "");
    return { body: { deleted: 1 } };
  };
  const { stdout } = await callCommand("uploads", "list");
  expect(stdout).toMatch(/levels +5 B of 20 B +unfinished .*neu\.csv +sha256:bb\n.*levels +10 B +stored .*sha256:aa/);
  expect((await callCommand("uploads", "delete", "levels", "--unfinished")).stdout).toBe("Deleted 1 file.\n");
  await callCommand("uploads", "delete", "levels", "--digest", digest);
  await callCommand("uploads", "delete", "levels");
  const path = `/api/v2/build/workspaces/${WORKSPACE}/uploads/levels`;
  expect(deleted).toEqual([`${path}?digest=sha256%3Abb`, `${path}?digest=sha256%3Aaa`, path]);
  const missing = await callCommand("uploads", "delete", "none", "--unfinished");
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("There is no unfinished file named none. See parquetry uploads list"),
  });
});
