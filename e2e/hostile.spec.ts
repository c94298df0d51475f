import { expect } from "@playwright/test";
import fc from "fast-check";
import { tableOf } from "./catalogue";
import { readerKey } from "./service";
import { test } from "./test";

const JUNK = [
  "",
  " ",
  "null",
  "[]",
  "0",
  '"x"',
  "{}",
  '{"columns":null}',
  '{"columns":[null]}',
  '{"columns":[{}]}',
  '{"__proto__":{"columns":["CO2"]}}',
  '{"constructor":{"prototype":{}}}',
  '{"columns":["CO2"],"limit":1e309}',
  '{"columns":["CO2"],"limit":-0}',
  '{"columns":["CO2"],"limit":1.0}',
  '{"columns":["CO2"],"offset":9e99999999}',
  '{"columns":["CO2"],"cursor":""}',
  `{"columns":["CO2"],"cursor":"${"A".repeat(5000)}"}`,
  '{"columns":["\\u0000"]}',
  '{"columns":["\\ud800"]}',
  '{"columns":["CO2\\"; DROP TABLE x; --"]}',
  "\u0000",
  "\ufeff{}",
  "[".repeat(30_000),
  '{"a":'.repeat(9_000),
  '{"columns":["CO2"],"filters":[{"column":"CO2","operator":"eq","value":1e-999999999}]}',
  '{"columns":["CO2"],"filters":[{"column":"CO2","operator":"in","value":[]}]}',
  '{"columns":["CO2"],"filters":[{"column":"CO2","operator":"toString","value":1}]}',
  '{"columns":[],"aggregates":[{"function":"__proto__","as":"x"}]}',
  '{"columns":["CO2"],"version_id":"latest"}',
  `{"columns":["CO2"],"filters":[${Array.from({ length: 51 }, () => '{"column":"CO2","operator":"is_null"}').join(",")}]}`,
  `{"columns":["CO2"],"filters":[{"column":"Date","operator":"eq","value":"0000-00-00"}]}`,
  `{"columns":["CO2"],"filters":[{"column":"Date","operator":"eq","value":"99999-01-01"}]}`,
];

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("CO2", "Date", "columns", "asc", "%", "_", "'", '"', "\\", "NaN"),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  { maxDepth: 3 },
  fc.jsonValue({ maxDepth: 3 }),
  text,
  fc.double(),
  fc.bigInt().map(Number),
);
const body = fc.oneof(
  fc.jsonValue({ maxDepth: 5 }),
  fc.record(
    {
      columns: fc.oneof(fc.array(text, { maxLength: 3 }), value),
      filters: fc.oneof(
        fc.array(
          fc.record(
            {
              column: text,
              operator: fc.oneof(text, fc.constantFrom("eq", "in", "between", "contains", "is_null")),
              value,
            },
            { requiredKeys: [] },
          ),
          { maxLength: 3 },
        ),
        value,
      ),
      order_by: fc.oneof(
        fc.array(fc.record({ column: text, direction: text }, { requiredKeys: ["column"] }), { maxLength: 2 }),
        value,
      ),
      limit: value,
      offset: value,
      cursor: value,
      group_by: fc.oneof(fc.array(text, { maxLength: 5 }), value),
      aggregates: fc.oneof(
        fc.array(fc.record({ function: text, column: text, as: text }, { requiredKeys: [] }), { maxLength: 2 }),
        value,
      ),
      version_id: value,
      int64: value,
    },
    { requiredKeys: ["columns"] },
  ),
);

test("hostile bodies are rejected in the envelope and none gives a 500", async ({ request }) => {
  const { tableId } = await tableOf(request, "mauna-loa-co2");
  const bodies = [...JUNK, ...fc.sample(body, { numRuns: 300, seed: 42 }).map((value) => JSON.stringify(value))];
  for (const address of [`/api/public/tables/${tableId}/query`, `/api/v2/public/tables/${tableId}/query`]) {
    for (const data of bodies) {
      const reply = await request.post(address, {
        data: Buffer.from(data),
        headers: { "content-type": "application/json", "x-api-key": readerKey() },
      });
      expect([200, 400, 404, 413], `${reply.status()} ${data.slice(0, 200)}`).toContain(reply.status());
      const envelope = await reply.json();
      if (reply.status() !== 200)
        expect(envelope, data.slice(0, 200)).toMatchObject({
          schema_version: "service-error.v1",
          error: expect.stringMatching(/^[a-z_]+$/),
        });
    }
  }
});

test("hostile search texts find nothing or something, never an error", async ({ request }) => {
  const texts = [
    "'",
    '"',
    "\\",
    "%",
    "a & b | !",
    "<->",
    ":*",
    "a:*",
    "(((",
    "\u0000",
    "\ud83d\ude00",
    "ß",
    "İ",
    "the",
    "x".repeat(200),
    "co2 co2 co2",
    "🚀 data",
    "-1",
    "' OR 1=1 --",
    "ﬁ",
    "ΑΣ",
  ];
  for (const q of texts) {
    const reply = await request.get("/api/v2/public/datasets", { params: { q } });
    expect([200, 400], `${JSON.stringify(q)} ${reply.status()}`).toContain(reply.status());
  }
});
