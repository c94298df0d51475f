import { rmSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { newKey } from "@/lib/auth/access-key";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { setVisibility } from "@/lib/store/datasets/visibility";
import { withdrawVersion } from "@/lib/store/datasets/withdrawal";
import { database } from "@/lib/store/postgres/database";
import { blobFile } from "@/lib/testing/blob-file";
import { useTestState } from "@/lib/testing/database";
import { ask } from "@/lib/testing/hosted";
import { hostedRelease } from "@/lib/testing/stored-release";

useTestState({ LIMIT_FRESHNESS_MINUTE: "30" });
afterEach(() => void vi.useRealTimers());

/** An activated table with one release, and a way to read its freshness. */
async function hosted() {
  const own = await hostedRelease({ every: "P1D" });
  const read = (headers: Record<string, string> = {}) =>
    ask(`${own.path}/freshness`, { "x-api-key": own.key, ...headers });
  return { ...own, read };
}

test("the document names the release by the ETag of its download, with the verdict's evidence", async () => {
  const { dataset, receipt, release, read } = await hosted();
  await dataset.read(new Date(), [{ source: "source", how: "first" }], { kind: "build" });
  const { status, headers, body } = await read();
  expect([status, headers.get("content-type"), headers.get("cache-control"), headers.get("etag")]).toEqual([
    ...[200, "application/json", "no-store", null],
  ]);
  expect(headers.get("x-request-id")).toBe(body.request_id);
  expect(body).toEqual({
    schema_version: "service-cloud-table-freshness.v1",
    request_id: expect.any(String),
    dataset_id: dataset.datasetId,
    table_id: receipt.hostedId,
    current: { available: true, etag: `"sha256-${release.digest}"` },
    freshness: {
      ...{ state: "learning", reason_code: "not_enough_history", confidence: "none", continuity: expect.any(String) },
      ...{ blocking_source: "source", data_through: null, last_good_after_failed_refresh: false },
      ...{ last_observed_at: expect.stringMatching(/\.\d{3}Z$/), last_changed_at: null },
      ...{ expected_next_earliest: null, expected_next_latest: null },
      ...{
        sources_incomplete: false,
        unlisted_source_count: 0,
        sources: [expect.objectContaining({ name: "source" })],
      },
    },
  });
});

test("without a reading nothing is claimed, and without a release it says so", async () => {
  const { release, read } = await hosted();
  expect((await read()).body).toMatchObject({ freshness: { state: "unknown", reason_code: "no_observation" } });
  await withdrawVersion(release.versionId, "wrong", ADMINISTRATOR);
  const { status, body } = await read();
  expect([status, body.current]).toEqual([200, { available: false, etag: null }]);
  expect(body.freshness).toMatchObject({ state: "unknown", reason_code: "no_release" });
});

test("a release whose file is gone is listed, without an ETag", async () => {
  const { release, read } = await hosted();
  rmSync(blobFile(release.digest));
  expect((await read()).body.current).toEqual({ available: true, etag: null });
});

test("If-None-Match changes nothing, and the statuses are those of the download", async () => {
  const { dataset, release, path, key, read } = await hosted();
  expect((await read({ "if-none-match": `"sha256-${release.digest}"` })).status).toBe(200);
  const at = `${path}/freshness`;
  const of = async (headers: Record<string, string>, method = "GET", place = at) => {
    const { status, body } = await ask(place, headers, method);
    return `${status} ${body?.error}`;
  };
  const sent = { "x-api-key": key };
  expect(await of({})).toBe("401 key_missing");
  expect(await of({ "x-api-key": newKey("live") })).toBe("401 key_invalid");
  expect(await of(sent, "HEAD")).toBe("405 undefined");
  expect(await of(sent, "DELETE")).toBe("405 method_not_allowed");
  expect(await of(sent, "GET", `/api/v2/tables/${crypto.randomUUID()}/freshness`)).toBe("404 not_found");
  expect(await of(sent, "GET", `${at}?fields=state`)).toBe("400 invalid_request");
  await setVisibility(dataset.slug, { to: "withdrawn", by: { caller: "operator" } }, ADMINISTRATOR);
  expect(await of(sent)).toBe("404 not_found");
  await setVisibility(dataset.slug, { to: "private", by: { caller: "operator" } }, ADMINISTRATOR);
  expect(await of(sent)).toBe("200 undefined");
  const { prisma } = await database();
  await prisma.workspace.update({ where: { id: dataset.workspaceId }, data: { subscription: "canceled" } });
  expect(await of(sent)).toBe("402 subscription_inactive");
  expect(await of(sent, "GET", "/api/v2/tables/x/freshness")).toBe("402 subscription_inactive");
});

test("exactly its own limit passes in a minute, separate from the download's", async () => {
  const { path, key, read } = await hosted();
  vi.useFakeTimers({ toFake: ["Date"] }); // all within one minute
  const replies = await Promise.all(Array.from({ length: 40 }, () => read()));
  const passed = replies.filter(({ status }) => status === 200).length;
  expect(passed).toBe(30);
  const late = replies.find(({ status }) => status === 429);
  expect(Number(late?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await ask(`${path}/current`, { "x-api-key": key })).status).toBe(200);
});
