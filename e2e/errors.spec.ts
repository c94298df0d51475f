import { expect } from "@playwright/test";
import { tableOf } from "./catalogue";
import { newUseKey } from "./people";
import { parquetry, readerKey } from "./service";
import { test } from "./test";

const NOBODY = "00000000-0000-4000-8000-000000000000";

/** Faults of a query on the CO2 table: the code, and a body that has it. */
const QUERIES: readonly [code: string, body: object][] = [
  ["invalid_request", {}],
  ["invalid_request", { columns: "CO2" }],
  ["invalid_request", { columns: ["CO2"], colour: 1 }],
  ["unknown_column", { columns: ["co2"] }],
  ["duplicate_column", { columns: ["CO2", "CO2"] }],
  ["unsupported_operator", { columns: ["CO2"], filters: [{ column: "CO2", operator: "like", value: 1 }] }],
  ["operator_not_applicable", { columns: ["CO2"], filters: [{ column: "CO2", operator: "contains", value: "4" }] }],
  ["invalid_value", { columns: ["CO2"], filters: [{ column: "CO2", operator: "eq", value: "many" }] }],
  ["invalid_value", { columns: ["CO2"], filters: [{ column: "CO2", operator: "between", value: [2, 1] }] }],
  [
    "too_many_values",
    { columns: ["CO2"], filters: [{ column: "CO2", operator: "in", value: Array.from({ length: 21 }, (_, i) => i) }] },
  ],
  ["invalid_limit", { columns: ["CO2"], limit: 101 }],
  ["invalid_limit", { columns: ["CO2"], limit: 0 }],
  ["invalid_offset", { columns: ["CO2"], offset: -1 }],
  ["invalid_offset", { columns: ["CO2"], offset: 1_000_001 }],
  ["invalid_cursor", { columns: ["CO2"], cursor: "nonsense" }],
  ["invalid_order_by", { columns: ["CO2"], group_by: ["Date"], order_by: [{ column: "CO2" }] }],
  ["too_many_group_columns", { columns: [], group_by: ["Date", "CO2", "Date", "CO2", "Date"] }],
  ["unknown_function", { columns: [], aggregates: [{ function: "mode", column: "CO2", as: "m" }] }],
  ["function_not_applicable", { columns: [], aggregates: [{ function: "sum", column: "Date", as: "s" }] }],
  [
    "alias_conflict",
    {
      columns: [],
      aggregates: [
        { function: "count", as: "n" },
        { function: "count", as: "N" },
      ],
    },
  ],
  ["invalid_alias", { columns: [], aggregates: [{ function: "count", as: "1n" }] }],
  ["paging_with_aggregates", { columns: [], aggregates: [{ function: "count", as: "n" }], offset: 1 }],
];

test.describe("faults of a query", () => {
  for (const [code, body] of QUERIES) {
    test(`${code}: ${JSON.stringify(body).slice(0, 60)}`, async ({ request }) => {
      const { tableId } = await tableOf(request, "mauna-loa-co2");
      const reply = await request.post(`/api/public/tables/${tableId}/query`, { data: body });
      expect(reply.status()).toBe(400);
      const envelope = await reply.json();
      expect(envelope).toMatchObject({
        schema_version: "service-error.v1",
        request_id: reply.headers()["x-request-id"],
      });
      expect(envelope.details.map((fault: { code: string }) => fault.code)).toContain(code);
      for (const fault of envelope.details) expect(fault.pointer).toMatch(/^(\/|$)/);
    });
  }

  test("all faults are reported at once, with suggestions", async ({ request }) => {
    const { tableId } = await tableOf(request, "mauna-loa-co2");
    const data = {
      columns: ["CO3"],
      filters: [
        { column: "CO2", operator: "eq", value: "x" },
        { column: "Dat", operator: "eq", value: 1 },
      ],
      order_by: [{ column: "nope" }],
    };
    const { details } = await (await request.post(`/api/public/tables/${tableId}/query`, { data })).json();
    expect(details.map((fault: { pointer: string }) => fault.pointer).sort()).toEqual([
      "/columns/0",
      "/filters/0/value",
      "/filters/1/column",
      "/order_by/0/column",
    ]);
    expect(details[0]).toMatchObject({ pointer: "/columns/0", code: "unknown_column", did_you_mean: "CO2" });
  });

  test("a cursor belongs to its query and cannot be combined with an offset", async ({ request }) => {
    const { tableId } = await tableOf(request, "mauna-loa-co2");
    const ask = (data: object) => request.post(`/api/public/tables/${tableId}/query`, { data });
    const { next_cursor: cursor } = await (await ask({ columns: ["CO2"], limit: 2 })).json();
    expect((await (await ask({ columns: ["Date"], limit: 2, cursor })).json()).error).toBe("cursor_mismatch");
    expect((await (await ask({ columns: ["CO2"], offset: 2, cursor })).json()).error).toBe("cursor_with_offset");
    const tampered = `${cursor.slice(0, 10)}${cursor[10] === "A" ? "B" : "A"}${cursor.slice(11)}`;
    expect((await (await ask({ columns: ["CO2"], cursor: tampered })).json()).error).toBe("invalid_cursor");
  });

  test("results can be neither ordered nor grouped by lists and structures", async ({ request }) => {
    const { tableId } = await tableOf(request, "mime-types");
    const ask = async (data: object) =>
      (await (await request.post(`/api/public/tables/${tableId}/query`, { data })).json()).error;
    expect(await ask({ columns: ["extensions"], order_by: [{ column: "extensions" }] })).toBe("column_not_orderable");
    expect(await ask({ columns: [], group_by: ["extensions"] })).toBe("column_not_groupable");
  });
});

test.describe("requests that are rejected before they are read", () => {
  test("bodies: media type, JSON, size", async ({ request }) => {
    const { tableId } = await tableOf(request, "mauna-loa-co2");
    const ask = (data: string, type = "application/json") =>
      request.post(`/api/public/tables/${tableId}/query`, {
        data: Buffer.from(data),
        headers: { "content-type": type },
      });
    const rejected: [reply: Awaited<ReturnType<typeof ask>>, status: number, code: string][] = [
      [await ask("{}", "text/plain"), 415, "unsupported_media_type"],
      [await ask("{"), 400, "invalid_json"],
      [await ask('{"columns":[],"columns":[]}'), 400, "invalid_json"],
      [await ask(`{"columns":["${"x".repeat(70_000)}"]}`), 413, "request_too_large"],
    ];
    for (const [reply, status, code] of rejected) {
      expect(reply.status()).toBe(status);
      expect((await reply.json()).error).toBe(code);
    }
  });

  test("Accept without an available format, wrong methods", async ({ request }) => {
    const { tableId } = await tableOf(request, "mauna-loa-co2");
    const reply = await request.get(`/api/v2/public/tables/${tableId}/schema`, { headers: { accept: "text/html" } });
    expect([reply.status(), (await reply.json()).error]).toEqual([406, "not_acceptable"]);
    const wrong = await request.delete(`/api/v2/public/tables/${tableId}/schema`);
    expect([wrong.status(), (await wrong.json()).error, wrong.headers().allow]).toEqual([
      405,
      "method_not_allowed",
      "GET, HEAD, OPTIONS",
    ]);
  });

  test("unknown tables and datasets read as not found, byte for byte alike but for the request id", async ({
    request,
  }) => {
    const bodies = await Promise.all(
      [NOBODY, "nonsense", "%00", "..%2f.."].map(async (id) => {
        const reply = await request.post(`/api/public/tables/${id}/query`, { data: { columns: ["x"] } });
        expect(reply.status(), id).toBe(404);
        const body = await reply.json();
        return { ...body, request_id: "" };
      }),
    );
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  });

  test("keys: each rejection has its code", async ({ request }) => {
    const { tableId } = await tableOf(request, "mauna-loa-co2");
    const ask = async (key?: string) => {
      const reply = await request.post(`/api/v2/public/tables/${tableId}/query`, {
        data: { columns: ["CO2"] },
        headers: key === undefined ? {} : { "x-api-key": key },
      });
      return [reply.status(), (await reply.json()).error];
    };
    const revoked = await newUseKey("revoked");
    expect(await ask(revoked.key)).toEqual([200, undefined]);
    parquetry("key", "revoke", revoked.id);
    expect(await ask(revoked.key)).toEqual([401, "key_revoked"]);
    expect(await ask()).toEqual([401, "key_missing"]);
    expect(await ask("svc_use_wrong")).toEqual([401, "key_invalid"]);
    expect(await ask(`${readerKey().slice(0, -1)}${readerKey().endsWith("0") ? "1" : "0"}`)).toEqual([
      401,
      "key_invalid",
    ]);
  });
});
