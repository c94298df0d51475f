import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { newKey } from "@/lib/auth/access-key";
import { ADDRESS_HEADER, listenerMark, MARK_HEADER } from "@/lib/http/listener-mark";
import { env } from "@/lib/kernel/env";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import type { PublishReceipt } from "@/lib/schemas/publish";
import { keyedHash } from "@/lib/storage/secret";
import { database } from "@/lib/store/postgres/database";
import { flushUsage } from "@/lib/store/usage/usage-buffer";
import { useTestState } from "@/lib/testing/database";
import { publishText } from "@/lib/testing/publish-text";
import { serve } from "@/lib/testing/serve";
import { downloadCurrent } from "./download-current";
import { getSchema } from "./get-schema";
import { queryTable, queryTableAnonymously } from "./query-table";

useTestState();

let receipt: PublishReceipt;
let key: string;

beforeAll(async () => {
  receipt = await publishText("open", "id,word\n1,one\n2,two\n3,three\n");
  ({ key } = await createUseKey({ email: "reader@example.com", name: "reader" }, new Date()));
});

afterAll(async () => {
  await closeReadingEngine();
});

const route = (tableId: string) => ({ params: Promise.resolve({ table_id: tableId }) });

function download(tableId: string, headers: Record<string, string> = {}, search = "") {
  return serve({ GET: downloadCurrent }).GET(
    new Request(`http://localhost/current${search}`, { headers: { "x-api-key": key, ...headers } }),
    route(tableId),
  );
}

function query(tableId: string, body: object, useKey: string | undefined = key) {
  const headers = { "content-type": "application/json", ...(useKey && { "x-api-key": useKey }) };
  const request = new Request("http://localhost/query", { method: "POST", headers, body: JSON.stringify(body) });
  return serve({ POST: useKey ? queryTable : queryTableAnonymously }).POST(request, route(tableId));
}

async function rows(sql: string, values: unknown[] = []) {
  const { pool } = await database();
  return (await pool.query(sql, values)).rows;
}

describe("download receipts", () => {
  test("a completed 200 is recorded once, with digest and without key; 304, HEAD and ranges are not", async () => {
    const whole = await download(receipt.table_id);
    expect(whole.status).toBe(200);
    const bytes = (await whole.arrayBuffer()).byteLength;
    expect((await download(receipt.table_id, { "if-none-match": whole.headers.get("etag") ?? "" })).status).toBe(304);
    expect((await download(receipt.table_id, { range: "bytes=0-3" })).status).toBe(206);
    await expect
      .poll(() => rows(`SELECT "versionId", 'sha256:' || digest AS digest, bytes::int AS bytes FROM "Download"`))
      .toEqual([{ versionId: receipt.version_id, digest: receipt.content_digest, bytes }]);
    const [{ line }] = await rows(`SELECT d::text AS line FROM "Download" d`);
    expect(line).not.toContain(key.slice(8, 40));
    expect(line).not.toContain("current");
  });
});

describe("If-Match", () => {
  const versions = async () => {
    const first = await publishText("moving", "id\n1\n2\n");
    const second = await publishText("moving", "id\n1\n2\n3\n");
    const tags = [first, second].map(({ content_digest }) => `"${content_digest.replace(":", "-")}"`);
    return { first, old: tags[0] ?? "", current: tags[1] ?? "" };
  };

  test("with an old tag is 412, before ranges and If-None-Match: no file is read from two versions", async () => {
    const { first, old, current } = await versions();
    const asked: Record<string, string>[] = [
      { "if-match": old },
      { "if-match": old, range: "bytes=0-3" },
      { "if-match": old, range: "bytes=0-3", "if-range": current },
      { "if-match": old, range: "bytes=900000-" },
      { "if-match": old, "if-none-match": current },
      { "if-match": `W/${current}` },
      { "if-match": `${old}, "sha256-0"` },
      { "if-match": current.slice(1, -1) },
      { "if-match": "" },
    ];
    for (const headers of asked) {
      const reply = await download(first.table_id, headers);
      expect([reply.status, reply.headers.get("etag")]).toEqual([412, current]);
      expect(await reply.json()).toMatchObject({ schema_version: "service-error.v1", error: "precondition_failed" });
    }
    const head = new Request("http://localhost/current", {
      method: "HEAD",
      headers: { "x-api-key": key, "if-match": old },
    });
    const reply = await serve({ GET: downloadCurrent }).HEAD(head, route(first.table_id));
    expect([reply.status, await reply.text()]).toEqual([412, ""]);
  });

  test("with the current tag, in a list, or * answers as without it", async () => {
    const { first, old, current } = await versions();
    for (const tags of [current, `${old} , W/"x",${current}`, " * "]) {
      expect((await download(first.table_id, { "if-match": tags, range: "bytes=0-3" })).status).toBe(206);
      expect((await download(first.table_id, { "if-match": tags })).status).toBe(200);
      expect((await download(first.table_id, { "if-match": tags, "if-none-match": current })).status).toBe(304);
    }
  });

  test("compares with the version that version_id names", async () => {
    const { first, old, current } = await versions();
    const search = `?version_id=${first.version_id}`;
    expect((await download(first.table_id, { "if-match": old, range: "bytes=0-3" }, search)).status).toBe(206);
    expect((await download(first.table_id, { "if-match": current }, search)).status).toBe(412);
  });

  test("that fails takes no download", async () => {
    const { first, old } = await versions();
    const { key: own, id } = await createUseKey({ email: "match@example.com", name: "match" }, new Date());
    expect((await download(first.table_id, { "x-api-key": own, "if-match": old })).status).toBe(412);
    const used = await rows(`SELECT "window" FROM "Counter" WHERE subject = $1 AND "window" LIKE 'download%'`, [
      `key:${id}`,
    ]);
    expect(used).toEqual([]);
  });

  test("is evaluated for JSON replies too", async () => {
    const ask = (headers: Record<string, string>) =>
      serve({ GET: getSchema }).GET(new Request("http://localhost/schema", { headers }), route(receipt.table_id));
    const etag = (await ask({})).headers.get("etag") ?? "";
    expect((await ask({ "if-match": etag })).status).toBe(200);
    const reply = await ask({ "if-match": '"another"' });
    expect([reply.status, reply.headers.get("etag"), (await reply.json()).error]).toEqual([
      412,
      etag,
      "precondition_failed",
    ]);
  });
});

describe("ranges", () => {
  const third = () => Math.ceil(receipt.bytes / 3);
  const ranges = () => [0, 1, 2].map((part) => `bytes=${part * third()}-${(part + 1) * third() - 1}`);

  async function reader(name: string) {
    const { key: own, id } = await createUseKey({ email: `${name}@example.com`, name }, new Date());
    const ask = async (range: string) => {
      const reply = await download(receipt.table_id, { "x-api-key": own, range });
      await reply.arrayBuffer();
      return reply.status;
    };
    const downloads = async () => {
      const [row] = await rows(`SELECT sum(used)::int AS used FROM "Counter" WHERE subject = $1 AND "window" = $2`, [
        `key:${id}`,
        "download-day",
      ]);
      return row.used ?? 0;
    };
    return { id, ask, downloads };
  }

  test("that add up to a whole file count as a download, with usage and a receipt", async () => {
    const { id, ask, downloads } = await reader("ranges");
    const receipts = async () =>
      (await rows(`SELECT count(*)::int AS n FROM "Download" WHERE "keyHash" = $1`, [keyedHash("downloads", id)]))[0].n;
    for (const [index, range] of [...ranges(), ...ranges()].entries()) {
      expect(await ask(range)).toBe(206);
      expect(await downloads()).toBe(Math.floor((index + 1) / 3));
    }
    await expect.poll(receipts).toBe(2);
    await flushUsage();
    expect(await rows(`SELECT downloads, bytes::int AS bytes FROM "Usage" WHERE "keyId" = $1::uuid`, [id])).toEqual([
      { downloads: 2, bytes: 2 * receipt.bytes },
    ]);
  });

  test("sixty in parallel with the bytes of twenty files count as twenty downloads", async () => {
    const { ask, downloads } = await reader("parallel");
    const asked = Array.from({ length: 20 }, ranges).flat().map(ask);
    expect(new Set(await Promise.all(asked))).toEqual(new Set([206]));
    expect(await downloads()).toBe(20);
  });

  test("small ones are free until they add up to a whole file", async () => {
    const { ask, downloads } = await reader("small");
    for (let count = 0; count < 5; count++) expect(await ask("bytes=-8")).toBe(206);
    expect(await downloads()).toBe(0);
  });

  test("without downloads left, less than one whole file can be read", async () => {
    const { id, ask } = await reader("used-up");
    const limits = { minute: 60, day: env().LIMIT_DOWNLOAD_DAY };
    await rows(
      `INSERT INTO "Counter" (subject, "window", "startAt", used)
        VALUES ($1, 'download-day', date_trunc('day', now(), 'UTC'), $2)`,
      [`key:${id}`, limits.day],
    );
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) for (const range of ranges()) statuses.push(await ask(range));
    expect(statuses).toEqual([206, 206, 429, 429, 429, 429, 429, 429, 429]);
  });
});

describe("connections", () => {
  test("fifty concurrent first reads connect the dataset to the workspace once", async () => {
    const { table_id } = await publishText("connected", "id\n1\n");
    const replies = await Promise.all(Array.from({ length: 50 }, () => query(table_id, { columns: ["id"] })));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    const connections = () =>
      rows(`SELECT d.slug FROM "Connection" c JOIN "Dataset" d ON d.id = c."datasetId" WHERE d.slug = 'connected'`);
    await expect.poll(connections).toEqual([{ slug: "connected" }]);
  });
});

describe("who may read what", () => {
  test("private and withdrawn datasets read as unknown ones, identical except for the request id", async () => {
    const bodies: unknown[] = [];
    const ids: Record<string, string> = { unknown: "00000000-0000-4000-8000-000000000000" };
    for (const visibility of ["private", "withdrawn"]) {
      ids[visibility] = (await publishText(visibility, "id\n1\n")).table_id;
      await rows(`UPDATE "Dataset" SET visibility = $1::"Visibility" WHERE slug = $1`, [visibility]);
    }
    for (const id of Object.values(ids)) {
      const schema = serve({ GET: getSchema }).GET(new Request("http://localhost/schema"), route(id));
      for (const reply of [
        await query(id, { columns: ["id"] }),
        await query(id, { columns: ["id"] }, ""),
        await download(id),
        await schema,
      ]) {
        expect(reply.status).toBe(404);
        bodies.push({ ...((await reply.json()) as object), request_id: "" });
      }
    }
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  });

  test("a private dataset is read by the keys of its own workspace", async () => {
    const { table_id } = await publishText("own", "id\n7\n");
    const [{ workspaceId }] = await rows(
      `SELECT m."workspaceId" FROM "Membership" m JOIN "User" u ON u.id = m."userId" WHERE u.email = ` +
        "'reader@example.com'",
    );
    await rows(`UPDATE "Dataset" SET visibility = 'private', "workspaceId" = $1::uuid WHERE slug = 'own'`, [
      workspaceId,
    ]);
    const { key: foreign } = await createUseKey({ email: "stranger@example.com", name: "foreign" }, new Date());
    expect(await (await query(table_id, { columns: ["id"] })).json()).toMatchObject({ rows: [{ id: 7 }] });
    expect((await query(table_id, { columns: ["id"] }, foreign)).status).toBe(404);
  });
});

test("an address that keeps sending bad keys is rate-limited", async () => {
  const headers = { [MARK_HEADER]: listenerMark(), [ADDRESS_HEADER]: "203.0.113.5", "x-api-key": "svc_use_guess" };
  const statuses = new Set<number>();
  // more than two minutes' quota
  for (let attempt = 0; attempt < 700; attempt++) statuses.add((await download(receipt.table_id, headers)).status);
  expect(statuses).toEqual(new Set([401, 429]));
});

describe("an address without quota for the minute", () => {
  beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] })); // no minute ends in the meantime
  afterAll(() => void vi.useRealTimers());

  const from = (address: string, more: Record<string, string> = {}) => ({
    [MARK_HEADER]: listenerMark(),
    [ADDRESS_HEADER]: address,
    ...more,
  });
  const options = (address: string) =>
    serve({ GET: downloadCurrent }).OPTIONS(
      new Request("http://localhost/current", { method: "OPTIONS", headers: from(address) }),
      route(receipt.table_id),
    );

  test("causes no credential lookup, neither by downloads nor by queries", async () => {
    const limit = env().LIMIT_CATALOGUE_MINUTE;
    for (let count = 0; count < limit; count++) await options("203.0.113.6");
    const { pool } = await database();
    const asked = vi.spyOn(pool, "query");
    const unknown = newKey("use");
    expect((await download(receipt.table_id, from("203.0.113.6", { "x-api-key": unknown }))).status).toBe(429);
    const headers = from("203.0.113.6", { "x-api-key": unknown, "content-type": "application/json" });
    const request = new Request("http://localhost/query", { method: "POST", headers, body: "{}" });
    expect((await serve({ POST: queryTable }).POST(request, route(receipt.table_id))).status).toBe(429);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  });

  test("has OPTIONS requests rejected too, which count", async () => {
    const statuses: number[] = [];
    for (let count = 0; count <= env().LIMIT_CATALOGUE_MINUTE; count++)
      statuses.push((await options("203.0.113.7")).status);
    expect(statuses.at(-2)).toBe(204);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("versions requested by id", () => {
  test("an older one is read, an unknown one is 404, a withdrawn one is 410", async () => {
    const first = await publishText("versioned", "id\n1\n");
    const second = await publishText("versioned", "id\n1\n2\n");
    const { table_id } = first;
    const ask = async (version_id: string) => {
      const reply = await query(table_id, { columns: ["id"], version_id });
      const body = (await reply.json()) as { error?: string; rows?: unknown[] };
      return [reply.status, body.error ?? body.rows?.length];
    };
    expect(await ask(first.version_id)).toEqual([200, 1]);
    expect(await ask(second.version_id)).toEqual([200, 2]);
    expect(await ask(receipt.version_id)).toEqual([404, "not_found"]);
    await rows(`UPDATE "Version" SET "withdrawnAt" = now() WHERE id = $1::uuid`, [first.version_id]);
    expect(await ask(first.version_id)).toEqual([410, "version_withdrawn"]);
    expect((await download(table_id, {}, `?version_id=${first.version_id}`)).status).toBe(410);
    expect((await download(table_id, {}, `?version_id=${second.version_id}`)).status).toBe(200);
  });
});
