import { writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { handle } from "@/lib/door/handle";
import { plainResponse } from "@/lib/http/deferred-body";
import { baseUrl } from "@/lib/kernel/env";
import { objectStore } from "@/lib/storage/drivers";
import type { BlobHandle, ObjectStore } from "@/lib/storage/object-store";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { finishBackground } from "@/lib/store/background";
import { withdrawVersion } from "@/lib/store/datasets/withdrawal";
import { setPlan } from "@/lib/store/people/workspaces";
import { database } from "@/lib/store/postgres/database";
import { blobFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { ask, type Received } from "@/lib/testing/hosted";
import { forgetObjectStore, useObjectStore } from "@/lib/testing/memory-objects";
import { hostedRelease, storedRelease } from "@/lib/testing/stored-release";

useTestState({ LIMIT_DOWNLOAD_MINUTE: "20", LIMIT_DOWNLOAD_DAY: "12", STORAGE_SECONDS: "5", ARTIFACT_BYTES: "1000" });
afterEach(forgetObjectStore);

const said = ({ status, body }: Received) => (body ? `${status} ${body.error}` : String(status));
const receipts = async (versionId: string) => {
  await finishBackground();
  return (await database()).prisma.download.findMany({ where: { versionId } });
};

async function hosted(text?: string) {
  const own = await hostedRelease(undefined, text);
  const get = (headers: Record<string, string> = {}) =>
    ask(`${own.path}/current`, { "x-api-key": own.key, ...headers });
  return { ...own, get };
}

test("409 without a release, and after the only one was withdrawn", async () => {
  const { release, get } = await hosted();
  await withdrawVersion(release.versionId, "wrong", ADMINISTRATOR);
  expect(said(await get())).toBe("409 no_passing_release");
});

test("a withdrawn release gives way to the previous one", async () => {
  const { dataset, release, get } = await hosted("older");
  const newer = await storedRelease(dataset, "rows", "newer", new Date(Date.now() + 1000));
  expect((await get()).bytes.toString()).toBe("newer");
  await withdrawVersion(newer.versionId, "wrong", ADMINISTRATOR);
  const reply = await get();
  expect([reply.bytes.toString(), reply.headers.get("etag")]).toEqual(["older", `"sha256-${release.digest}"`]);
});

test("412 if If-Match does not name the current release, and nothing is counted", async () => {
  const { dataset, release, get } = await hosted("older");
  const old = `"sha256-${release.digest}"`;
  expect(said(await get({ "if-match": old }))).toBe("200");
  const newer = await storedRelease(dataset, "rows", "newer", new Date(Date.now() + 1000));
  expect(said(await get({ "if-match": old, "if-none-match": `"sha256-${newer.digest}"` }))).toBe(
    "412 precondition_failed",
  );
  expect(await receipts(newer.versionId)).toEqual([]);
});

test("413 above the limit, even if the client has the file, and the complete file at the limit", async () => {
  const { release, get } = await hosted("x".repeat(1001));
  expect(said(await get())).toBe("413 artifact_too_large");
  expect(said(await get({ "if-none-match": `"sha256-${release.digest}"` }))).toBe("413 artifact_too_large");
  expect((await (await hosted("y".repeat(1000))).get()).bytes.length).toBe(1000);
});

describe("502", () => {
  test("one changed byte: no part of the file is sent, nothing is recorded or cached", async () => {
    const { release, get } = await hosted("the right bytes");
    expect(said(await get())).toBe("200");
    await receipts(release.versionId);
    writeFileSync(blobFile(release.digest), "the right bytez");
    const reply = await get();
    expect([said(reply), reply.headers.get("cache-control")]).toEqual(["502 integrity_failure", "no-store"]);
    expect(reply.body.request_id).toBe(reply.headers.get("x-request-id"));
    expect(await receipts(release.versionId)).toHaveLength(1);
    expect((await get({ "if-none-match": `"sha256-${release.digest}"` })).status).toBe(304);
  });

  test.each([
    ["a release that no run sealed", `DELETE FROM "Release" WHERE "versionId" = $1`],
    ["one that was never promoted", `DELETE FROM "Promotion" WHERE "versionId" = $1`],
  ])("a record that contradicts itself: %s, even if the client has the file", async (_, change) => {
    const { release, get } = await hosted(crypto.randomUUID());
    const { pool } = await database();
    await pool.query(change, [release.versionId]);
    expect(said(await get({ "if-none-match": "*" }))).toBe("502 integrity_failure");
  });
});

/** The configured storage, in which opening a file never completes. */
function stuckStorage(): ObjectStore {
  const own = objectStore();
  return new Proxy(own, {
    get: (store, name) => (name === "open" ? () => new Promise<BlobHandle>(() => undefined) : Reflect.get(store, name)),
  });
}

test("504 while storage does not answer; a release that the client has is still 304", async () => {
  const { release, get } = await hosted();
  useObjectStore(stuckStorage());
  expect(said(await get())).toBe("504 storage_timeout");
  expect((await get({ "if-none-match": `"sha256-${release.digest}"` })).status).toBe(304);
  forgetObjectStore();
  expect(said(await get())).toBe("200");
});

test("a download that began before a release ends with the bytes that its headers name", async () => {
  const { dataset, release, path, key, get } = await hosted("before");
  const request = new Request(`${baseUrl()}${path}/current`, { headers: { "x-api-key": key } });
  const begun = plainResponse(await handle(request), request);
  const next = await storedRelease(dataset, "rows", "after", new Date(Date.now() + 1000));
  expect([begun.headers.get("etag"), await begun.text()]).toEqual([`"sha256-${release.digest}"`, "before"]);
  expect((await get()).bytes.toString()).toBe("after");
  const [[first], [second]] = [await receipts(release.versionId), await receipts(next.versionId)];
  expect([first?.digest, second?.digest]).toEqual([release.digest, next.digest]);
  expect(JSON.stringify([first, second], (_, value) => String(value))).not.toContain(key);
});

describe("limits of a key", () => {
  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] })); // no minute ends in the meantime
  afterAll(() => void vi.useRealTimers());

  test("exactly the day's downloads are sent; 304, 409 and 502 do not count", async () => {
    const { release, get } = await hosted("a day's");
    for (let at = 0; at < 5; at++) await get({ "if-none-match": `"sha256-${release.digest}"` });
    const replies = await Promise.all(Array.from({ length: 15 }, () => get()));
    const codes = replies.map(said).sort();
    expect(codes).toEqual([...Array(12).fill("200"), ...Array(3).fill("429 daily_quota_exhausted")]);
    expect(await receipts(release.versionId)).toHaveLength(12);
    const late = replies.find(({ status }) => status === 429);
    expect(Number(late?.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("exactly the minute's requests pass, whatever their outcome", async () => {
    const { release, get } = await hosted("a minute's");
    const tag = { "if-none-match": `"sha256-${release.digest}"` };
    const replies = await Promise.all(Array.from({ length: 30 }, () => get(tag)));
    expect(replies.filter(({ status }) => status === 304)).toHaveLength(20);
    const late = replies.filter(({ status }) => status === 429);
    expect(late.map(said)).toEqual(Array(10).fill("429 rate_limited"));
  });

  test("429 comes before 404, so that a spent key learns nothing about ids", async () => {
    const { key, get } = await hosted("spent");
    await Promise.all(Array.from({ length: 20 }, () => get({ "if-none-match": "*" })));
    const other = await ask(`/api/v2/tables/${crypto.randomUUID()}/current`, { "x-api-key": key });
    expect(said(other)).toBe("429 rate_limited");
  });
});

test("a subscription: active, past due for seven days, lapsed, paid again, canceled", async () => {
  const { dataset, get } = await hosted("billed");
  const { workspaceId } = dataset;
  const DAY_MS = 86_400_000;
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
  const pastDue = { plan: "paid", subscription: "past_due" } as const;
  const seen: string[] = [];
  const look = async () => seen.push(said(await get({ "if-none-match": "*" })));
  await setPlan(workspaceId, { plan: "paid", subscription: "active" }, ago(40), ADMINISTRATOR);
  await look();
  await setPlan(workspaceId, pastDue, ago(6.9), ADMINISTRATOR);
  await setPlan(workspaceId, pastDue, ago(1), ADMINISTRATOR); // Stripe reports each attempt: the week continues
  await look();
  await setPlan(workspaceId, { plan: "paid", subscription: "active" }, ago(1), ADMINISTRATOR);
  await setPlan(workspaceId, pastDue, ago(7.1), ADMINISTRATOR);
  await look();
  await setPlan(workspaceId, { plan: "paid", subscription: "active" }, ago(0), ADMINISTRATOR);
  await look();
  await setPlan(workspaceId, { plan: "free", subscription: "canceled" }, ago(0), ADMINISTRATOR);
  await look();
  expect(seen).toEqual(["304", "304", "402 subscription_inactive", "304", "402 subscription_inactive"]);
});
