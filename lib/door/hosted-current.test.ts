import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { createKey } from "@/lib/access/use-keys";
import { newKey } from "@/lib/auth/access-key";
import { deactivateDataset } from "@/lib/operations/datasets/activate-dataset";
import type { ActivationReceipt } from "@/lib/schemas/activation";
import { ADMINISTRATOR, listAudit } from "@/lib/store/audit";
import { finishBackground } from "@/lib/store/background";
import { revokeKey } from "@/lib/store/people/keys";
import { database } from "@/lib/store/postgres/database";
import { activated, ask, liveKey, ownerCookie, sealedDataset } from "@/lib/testing/hosted";
import { useOffice } from "@/lib/testing/office";
import { call as callOverHttp } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";

const rig = await useOffice();

let dataset = "";
let key = "";
let owner: Record<string, string> = {};
let receipt: ActivationReceipt;
let path = "";
beforeAll(async () => {
  owner = await ownerCookie(rig);
  dataset = await sealedDataset(rig, "Hosted levels");
  receipt = await activated(rig, dataset, owner);
  path = receipt.current_path;
  ({ key } = await liveKey(rig.builder.workspaceId));
});

const get = (headers: Record<string, string> = {}, at = path) => ask(at, { "x-api-key": key, ...headers });
const error = ({ status, body }: { status: number; body: { error: string } }) => `${status} ${body.error}`;
const downloads = async () => {
  await finishBackground();
  return (await database()).prisma.download.count();
};

test("a live key downloads the complete promoted release, with digests of exactly these bytes", async () => {
  const before = await downloads();
  const reply = await get();
  const digest = createHash("sha256").update(reply.bytes).digest();
  expect([reply.status, Object.fromEntries(reply.headers)]).toEqual([
    200,
    expect.objectContaining({
      "content-type": "application/vnd.apache.parquet",
      "content-length": String(reply.bytes.length),
      etag: `"sha256-${digest.toString("hex")}"`,
      "content-digest": `sha-256=:${digest.toString("base64")}:`,
      "x-service-content-digest": `sha256:${digest.toString("hex")}`,
      "accept-ranges": "none",
      "x-request-id": expect.stringMatching(/^req_/),
    }),
  ]);
  expect(reply.bytes.subarray(0, 4).toString()).toBe("PAR1");
  expect(await downloads()).toBe(before + 1);
});

test("a range is ignored: the whole file is sent", async () => {
  const [whole, ranged] = [await get(), await get({ range: "bytes=0-3" })];
  expect([ranged.status, ranged.bytes.equals(whole.bytes)]).toEqual([200, true]);
});

test("304 requires a key and does not count as a download", async () => {
  const etag = (await get()).headers.get("etag") ?? "";
  const before = await downloads();
  const same = await get({ "if-none-match": `"other", W/${etag}` });
  expect([same.status, same.bytes.length, same.headers.get("etag")]).toEqual([304, 0, etag]);
  expect(error(await ask(path, { "if-none-match": etag }))).toBe("401 key_missing");
  expect(await downloads()).toBe(before);
});

test("only the hosted id is valid; every other id gets the same 404", async () => {
  const { prisma } = await database();
  const { currentVersionId } = await prisma.table.findUniqueOrThrow({ where: { id: receipt.table_id } });
  const ids = [receipt.table_id, receipt.dataset_id, currentVersionId, crypto.randomUUID(), "x", "%00"];
  const replies = await Promise.all(ids.map((id) => get({}, `/api/v2/tables/${id}/current`)));
  const said = replies.map(({ status, body: { request_id, ...body } }) => [status, body]);
  expect(new Set(said.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(said[0]?.[0]).toBe(404);
});

test("a foreign key finds nothing where the workspace's own key finds the table", async () => {
  const { workspaceId } = await newWorkspace();
  await (await database()).prisma.workspace.update({ where: { id: workspaceId }, data: { plan: "paid" } });
  const foreign = await liveKey(workspaceId);
  expect(error(await ask(path, { "x-api-key": foreign.key }))).toBe("404 not_found");
});

describe("keys", () => {
  test("missing, malformed, unknown, revoked, expired and other kinds are 401", async () => {
    const { workspaceId, userId } = rig.builder;
    const use = await createKey({ kind: "use", name: "u", workspaceId, userId, expiresAt: null }, ADMINISTRATOR);
    const revoked = await liveKey(workspaceId);
    await revokeKey({ id: revoked.id }, ADMINISTRATOR);
    const expired = await liveKey(workspaceId, new Date(Date.now() - 1000));
    const tried: [sent: string | undefined, code: string][] = [
      [undefined, "key_missing"],
      ["svc_live_nonsense", "key_invalid"],
      ["nonsense", "key_invalid"],
      [newKey("live"), "key_invalid"],
      [revoked.key, "key_revoked"],
      [expired.key, "key_expired"],
      [use.key, "key_wrong_type"],
      [newKey("cli"), "key_wrong_type"],
    ];
    for (const [sent, code] of tried)
      expect([sent, error(await ask(path, sent === undefined ? {} : { "x-api-key": sent }))]).toEqual([
        ...[sent, `401 ${code}`],
      ]);
    expect(error(await ask(path, { authorization: `Bearer ${key}` }))).toBe("401 key_missing");
  });

  test("a lapsed subscription is 402 whatever the id, and nothing is counted", async () => {
    const { workspaceId } = await newWorkspace();
    const lapsed = await liveKey(workspaceId);
    for (const at of [path, "/api/v2/tables/x/current"]) {
      const reply = await ask(at, { "x-api-key": lapsed.key });
      expect([error(reply), reply.headers.get("ratelimit")]).toEqual(["402 subscription_inactive", null]);
    }
  });
});

test("HEAD is 405 without a body, other methods with an envelope; neither looks at the key", async () => {
  const head = await ask(path, { "x-api-key": key }, "HEAD");
  expect([head.status, head.bytes.length, head.headers.get("allow"), head.headers.get("content-type")]).toEqual([
    ...[405, 0, "GET, OPTIONS", null],
  ]);
  const post = await ask(path, {}, "POST");
  expect([error(post), post.headers.get("allow")]).toEqual(["405 method_not_allowed", "GET, OPTIONS"]);
});

test("OPTIONS allows other sites to send the key", async () => {
  const { status, headers } = await ask(path, {}, "OPTIONS");
  expect([status, headers.get("allow"), headers.get("access-control-allow-origin")]).toEqual([
    204,
    "GET, OPTIONS",
    "*",
  ]);
  expect(headers.get("access-control-allow-headers")?.toLowerCase()).toContain("x-api-key");
});

test("once deactivated it is 404, and activated again it has the same URL", async () => {
  const of = { workspace_id: rig.builder.workspaceId, dataset };
  const off = await callOverHttp(deactivateDataset, of, owner, {});
  expect(off.body).toEqual({ deactivated: ["levels"] });
  expect((await get()).status).toBe(404);
  const again = await Promise.all([1, 2, 3].map(() => activated(rig, dataset, owner)));
  expect(new Set(again.map(({ current_path }) => current_path))).toEqual(new Set([path]));
  expect((await get()).status).toBe(200);
  const log = await listAudit({ workspaceId: rig.builder.workspaceId, limit: 100 });
  const told = log.map(({ action }) => action).filter((action) => action.startsWith("table."));
  expect(told.filter((action) => action === "table.activated")).toHaveLength(2);
  expect(told.filter((action) => action === "table.deactivated")).toHaveLength(1);
});
