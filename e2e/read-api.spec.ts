import { createHash } from "node:crypto";
import { expect } from "@playwright/test";
import { tableOf } from "./catalogue";
import { Contract } from "./openapi";
import { readerKey } from "./service";
import { test } from "./test";

test.describe("every route replies as its documentation says", () => {
  test("the catalogue, a dataset, schema, preview, versions, Croissant", async ({ request }) => {
    const contract = await Contract.of(request);
    const table = await tableOf(request, "mime-types");
    const gets: [path: string, address: string][] = [
      ["/api/v2/public/datasets", "/api/v2/public/datasets"],
      ["/api/v2/public/datasets", "/api/v2/public/datasets?q=earthquakes&limit=3"],
      ["/api/v2/public/datasets", "/api/v2/public/datasets?limit=0"],
      ["/api/v2/public/datasets", "/api/v2/public/datasets?colour=red"],
      ["/api/v2/public/datasets/{slug}", "/api/v2/public/datasets/mime-types"],
      ["/api/v2/public/datasets/{slug}", "/api/v2/public/datasets/no-such-dataset"],
      ["/api/v2/public/datasets/{slug}/croissant.json", "/api/v2/public/datasets/mime-types/croissant.json"],
      ["/api/v2/public/tables/{table_id}/schema", `/api/v2/public/tables/${table.tableId}/schema`],
      ["/api/v2/public/tables/{table_id}/preview", `/api/v2/public/tables/${table.tableId}/preview?limit=3`],
      ["/api/v2/public/tables/{table_id}/versions", `/api/v2/public/tables/${table.tableId}/versions`],
      ["/api/v2/public/tables/{table_id}/current", `/api/v2/public/tables/${table.tableId}/current`],
    ];
    for (const [path, address] of gets) await contract.expectDocumented("get", path, await request.get(address));
  });

  test("a query with and without a key", async ({ request }) => {
    const contract = await Contract.of(request);
    const table = await tableOf(request, "mauna-loa-co2");
    const body = {
      columns: ["Date", "CO2"],
      filters: [{ column: "CO2", operator: "gt", value: 400 }],
      order_by: [{ column: "CO2", direction: "desc" }],
      limit: 5,
    };
    const anonymous = await request.post(`/api/public/tables/${table.tableId}/query`, { data: body });
    expect(anonymous.status()).toBe(200);
    await contract.expectDocumented("post", "/api/public/tables/{table_id}/query", anonymous);
    const keyed = await request.post(`/api/v2/public/tables/${table.tableId}/query`, {
      data: body,
      headers: { "x-api-key": readerKey() },
    });
    expect(keyed.status()).toBe(200);
    await contract.expectDocumented("post", "/api/v2/public/tables/{table_id}/query", keyed);
    expect((await keyed.json()).rows).toEqual((await anonymous.json()).rows);
    expect(keyed.headers()["ratelimit-policy"]).toMatch(/^"minute";q=\d+;w=60, "day";q=\d+;w=86400$/);
    expect(keyed.headers().ratelimit).toMatch(/^"minute";r=\d+;t=\d+/);
    expect(keyed.headers().link).toContain('/datasets/mauna-loa-co2>; rel="cite-as"');
  });

  test("Markdown of a dataset and of the entire catalogue", async ({ request }) => {
    const one = await request.get("/datasets/mime-types/llms.txt");
    expect(one.headers()["content-type"]).toContain("text/markdown");
    expect(await one.text()).toMatch(/^# /);
    const all = await (await request.get("/llms-full.txt")).text();
    const { total } = await (await request.get("/api/v2/public/datasets")).json();
    expect(all.match(/^## /gm)).toHaveLength(total);
  });

  test("unknown paths under /api reply with the envelope, whatever the method", async ({ request }) => {
    for (const address of ["/api/nothing", "/api/v2/public/tables", "/api/v2/public/tables/x/y", "/api/"]) {
      const reply = await request.fetch(address, { method: "POST", data: {} });
      expect(reply.status(), address).toBe(404);
      expect(await reply.json()).toMatchObject({ schema_version: "service-error.v1", error: "not_found" });
    }
  });
});

test.describe("caching", () => {
  test("a reply is not sent again to a client that holds it", async ({ request }) => {
    const table = await tableOf(request, "mime-types");
    for (const address of [
      "/api/v2/public/datasets",
      "/api/v2/public/datasets/mime-types",
      `/api/v2/public/tables/${table.tableId}/schema`,
      `/api/v2/public/tables/${table.tableId}/preview`,
      "/api/v2/public/openapi.json",
    ]) {
      const first = await request.get(address);
      expect(first.headers()["cache-control"]).toBe("public, max-age=60, stale-while-revalidate=600");
      const etag = first.headers().etag ?? "";
      expect(etag).toMatch(/^"[^"]+"$/);
      const again = await request.get(address, { headers: { "if-none-match": `"other", W/${etag}` } });
      expect(again.status(), address).toBe(304);
      expect(await again.body()).toHaveLength(0);
    }
  });

  test("other sites' pages may read, and the headers say how", async ({ request }) => {
    const reply = await request.fetch("/api/v2/public/datasets", {
      method: "OPTIONS",
      headers: { origin: "https://example.org", "access-control-request-method": "GET" },
    });
    expect(reply.status()).toBe(204);
    expect(reply.headers()["access-control-allow-origin"]).toBe("*");
    expect((await request.get("/api/v2/public/datasets")).headers()["access-control-allow-origin"]).toBe("*");
  });
});

test.describe("download", () => {
  test("the bytes have the digest that the headers, the schema and the tag say", async ({ request }) => {
    const table = await tableOf(request, "mime-types");
    const reply = await request.get(`/api/v2/public/tables/${table.tableId}/current`, {
      headers: { "x-api-key": readerKey() },
    });
    const bytes = await reply.body();
    const digest = createHash("sha256").update(bytes).digest();
    const headers = reply.headers();
    expect(reply.status()).toBe(200);
    expect(headers["content-type"]).toBe("application/vnd.apache.parquet");
    expect(headers.etag).toBe(`"sha256-${digest.toString("hex")}"`);
    expect(headers["content-digest"]).toBe(`sha-256=:${digest.toString("base64")}:`);
    expect(headers["x-service-content-digest"]).toBe(`sha256:${digest.toString("hex")}`);
    expect(headers["content-length"]).toBe(String(table.bytes));
    expect(headers["content-encoding"]).toBeUndefined();
    expect(headers["content-disposition"]).toBe(
      `attachment; filename="mime-types-${table.slug}-${table.version_id.slice(0, 8)}.parquet"`,
    );
    const schema = await (await request.get(`/api/v2/public/tables/${table.tableId}/schema`)).json();
    expect(schema.table.content_digest).toBe(headers["x-service-content-digest"]);
  });

  test("an unchanged file is not sent again, but still needs a key", async ({ request }) => {
    const { tableId } = await tableOf(request, "mime-types");
    const address = `/api/v2/public/tables/${tableId}/current`;
    const head = await request.head(address, { headers: { "x-api-key": readerKey() } });
    expect(head.status()).toBe(200);
    const etag = head.headers().etag ?? "";
    expect(
      (await request.get(address, { headers: { "x-api-key": readerKey(), "if-none-match": etag } })).status(),
    ).toBe(304);
    expect((await request.get(address, { headers: { "if-none-match": etag } })).status()).toBe(401);
  });

  test("ranges let readers query the file in place", async ({ request }) => {
    const { tableId, bytes } = await tableOf(request, "mime-types");
    const address = `/api/v2/public/tables/${tableId}/current`;
    const key = { "x-api-key": readerKey() };
    const whole = await (await request.get(address, { headers: key })).body();
    const tail = await request.get(address, { headers: { ...key, range: "bytes=-8" } });
    expect(tail.status()).toBe(206);
    expect(tail.headers()["content-range"]).toBe(`bytes ${bytes - 8}-${bytes - 1}/${bytes}`);
    expect(await tail.body()).toEqual(whole.subarray(-8));
    expect((await tail.body()).subarray(4).toString()).toBe("PAR1");
    expect((await request.get(address, { headers: { ...key, range: `bytes=${bytes}-` } })).status()).toBe(416);
    const stale = await request.get(address, { headers: { ...key, range: "bytes=0-3", "if-range": '"sha256-old"' } });
    expect(stale.status()).toBe(200);
    const versions = await (await request.get(`/api/v2/public/tables/${tableId}/versions`)).json();
    const oldest = versions.versions.at(-1);
    const old = await request.get(`${address}?version_id=${oldest.version_id}`, { headers: key });
    expect(
      `sha256:${createHash("sha256")
        .update(await old.body())
        .digest("hex")}`,
    ).toBe(oldest.content_digest);
  });
});
