import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { publishTable } from "@/lib/publish/publish";
import { fillShowcase } from "@/lib/showcase/catalogue";
import { readShowcase } from "@/lib/showcase/dataset-file";
import { newestVersionAt } from "@/lib/store/datasets/tables";
import { serveConnector } from "@/lib/testing/connector-server";
import { useTestState } from "@/lib/testing/database";

const dailyWeather = readShowcase("daily-weather");
const mimeTypes = readShowcase("mime-types");
const spdxLicenses = readShowcase("spdx-licenses");

useTestState({ LIMIT_KEY_MINUTE: "100000", LIMIT_KEY_DAY: "100000" });

const folder = mkdtempSync(join(tmpdir(), "parquetry-agent-help-"));
let service: Awaited<ReturnType<typeof serveConnector>>;
let key = "";
const idOf: Record<string, string> = {};

beforeAll(async () => {
  service = await serveConnector();
  key = (await createUseKey({ email: "agent@example.com", name: "agent" }, new Date())).key;
  const wanted = ["1.52.0", "1.54.0"];
  const tables = mimeTypes.tables.map((table) => ({
    ...table,
    versions: table.versions.filter(({ label }) => wanted.includes(label)),
  }));
  const publish = async (request: Parameters<typeof publishTable>[0]) => {
    const receipt = await publishTable(request, { now: () => new Date() });
    idOf[receipt.dataset] = receipt.table_id;
    return receipt;
  };
  const ctx = { publish, newestVersionAt, workDir: folder, progress: () => undefined };
  await fillShowcase(ctx, [dailyWeather, spdxLicenses, { ...mimeTypes, tables }]);
});

afterAll(async () => {
  await service.close();
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

async function call(name: string, args: object) {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const reply = await fetch(service.url, { method: "POST", headers, body: JSON.stringify(message) });
  const { result } = await reply.json();
  return { text: result.content[0].text as string, said: result.structuredContent, isError: result.isError ?? false };
}

const counted = { aggregates: [{ function: "count", as: "n" }] };

describe("names", () => {
  test("a table is its id, its path, or its dataset; a dataset its slug, its table's path or id", async () => {
    for (const table_id of [idOf["mime-types"], "mime-types/types", "mime-types", " Mime-Types/types "])
      expect([table_id, (await call("query_table", { table_id, ...counted })).said?.rows]).toEqual([
        table_id,
        [[2522]],
      ]);
    for (const slug of ["mime-types", "mime-types/types", idOf["mime-types"]])
      expect((await call("list_tables", { slug })).said).toMatchObject({
        slug: "mime-types",
        tables: [{ table_id: idOf["mime-types"] }],
      });
  });

  test.each([
    ["query_table", { table_id: "mimetypes" }, 'Did you mean "mime-types"?'],
    ["query_table", { table_id: "mime-types/type" }, 'Did you mean "mime-types/types"?'],
    ["get_dataset", { slug: "weather" }, 'Did you mean "daily-weather"?'],
    ["query_table", { table_id: "mime-types", version_id: "1.54" }, 'Did you mean "1.54.0"?'],
    ["query_table", { table_id: "mime-types", as_of: "2001-01-01" }, "the first was published on 2022-02-21"],
  ])("%s of %o gets a suggestion", async (name, args, meant) => {
    const { isError, text } = await call(name, args);
    expect([isError, text]).toEqual([true, expect.stringContaining(meant)]);
  });
});

describe("versions", () => {
  test("changes in MIME types from 1.52 to 1.54 are complete in each form", async () => {
    const { said, text } = await call("compare_versions", { table_id: "mime-types", from: "1.52.0", to: "1.54.0" });
    expect(said).toMatchObject({
      status: expect.stringMatching(/^COMPLETE: From 1\.52\.0 to 1\.54\.0: 248 rows added, 5 removed, 56 changed/),
      rows: { added: 248, removed: 5, changed: 56 },
      citation: expect.stringMatching(/^Cite: mime-types, table .* versions .* queried /),
    });
    expect(text.split("\n")).toEqual(expect.arrayContaining([said.status, said.citation]));
    expect(said.examples.removed.length).toBeGreaterThan(0);
    expect(text).toContain(String(Object.values(said.examples.removed[0])[0]));
  });

  test("its versions are listed with number, label and day, and each can be read by them", async () => {
    const { said, text } = await call("list_versions", { table_id: "mime-types" });
    expect(said.versions).toMatchObject([
      { number: 2, label: "1.54.0", rows: 2522 },
      { number: 1, label: "1.52.0", rows: 2279 },
    ]);
    expect(text).toMatch(
      /^COMPLETE: 2 versions of mime-types\/types\nnumber 2 \| current \| 1\.54\.0 \| 2025-03-17 \| 2,522 rows/,
    );
    for (const chosen of [{ version_id: "1.52.0" }, { version_id: "1" }, { as_of: "2023-06-01" }]) {
      const old = await call("query_table", { table_id: "mime-types", ...counted, ...chosen });
      expect(old.said.rows).toEqual([[2279]]);
      expect(old.said.citation).toContain(", version 1.52.0, sha256:");
    }
  });
});

/** The rows of a reply, from only the structured content and from only the text. */
function rowsOf({ said, text }: Awaited<ReturnType<typeof call>>): unknown[] {
  const lines = text.split("\n").filter((line) => line.startsWith("["));
  expect(lines.map((line) => JSON.parse(line))).toEqual(said.rows);
  expect(text.split("\n")).toEqual(expect.arrayContaining([said.status, said.citation]));
  return said.rows;
}

describe("questions of one call", () => {
  test("the wettest month in Seattle", async () => {
    const reply = await call("query_table", {
      table_id: "daily-weather",
      filters: [{ column: "location", operator: "eq", value: "Seattle" }],
      group_by: [{ column: "date", bucket: "month", as: "month" }],
      aggregates: [{ function: "sum", column: "precipitation", as: "mm" }],
      order_by: [{ column: "mm", direction: "desc" }],
      limit: 1,
    });
    expect([rowsOf(reply), reply.said.status]).toEqual([[["2015-12-01", expect.closeTo(284.5)]], "TOP 1 of 48 groups"]);
  });

  test("licences that mention patents, whatever the case", async () => {
    const filter = { column: "license_text", operator: "contains", value: "PATENT", ignore_case: true };
    expect(rowsOf(await call("query_table", { table_id: "spdx-licenses", filters: [filter], ...counted }))).toEqual([
      [214],
    ]);
  });

  test("the full text of GPL-3.0, part by part as the replies say", async () => {
    const one = { table_id: "spdx-licenses", filters: [{ column: "license_id", operator: "eq", value: "GPL-3.0" }] };
    const rejected = await call("query_table", one);
    expect([rejected.isError, rejected.text]).toEqual([
      true,
      expect.stringMatching(/license_text has up to 46,063 .*cell/),
    ]);
    let whole = "";
    for (let offset: number | null = 0; offset !== null; ) {
      const reply = await call("query_table", { ...one, cell: { column: "license_text", offset } });
      const [[part]] = rowsOf(reply) as [[string]];
      whole += part;
      const { chars, next_offset: next } = reply.said.execution.cell;
      expect(reply.said.advice).toContain(
        next === null ? `to ${chars.toLocaleString("en")} of` : `cell.offset ${next}`,
      );
      expect(reply.text).toContain(reply.said.advice);
      offset = next;
    }
    expect(whole).toMatch(/^GNU GENERAL PUBLIC LICENSE[\s\S]*why-not-lgpl\.html>\.?\s*$/);
    expect(whole.length).toBeGreaterThan(30_000);
  });
});

describe("what comes first", () => {
  const groups = { table_id: "daily-weather", group_by: ["weather"], ...counted };
  const byCount = { order_by: [{ column: "n", direction: "desc" }] };

  test("is reported as TOP in both forms, not as PARTIAL", async () => {
    const { said, text } = await call("query_table", { ...groups, ...byCount, limit: 2 });
    expect(said.rows).toHaveLength(2);
    expect(said.status).toMatch(/^TOP 2 of (?:more|5) groups$/);
    expect(text.split("\n")[0]).toBe(said.status);
    expect((await call("query_table", { ...groups, ...byCount, limit: 5 })).said.status).toBe("COMPLETE: 5 groups");
  });

  test("says if the last one is tied with the next", async () => {
    const days = { table_id: "daily-weather", group_by: ["date"], ...counted, ...byCount };
    const { said, text } = await call("query_table", { ...days, limit: 3 });
    expect([said.rows.length, said.advice]).toEqual([3, expect.stringContaining("The next group ties")]);
    expect(text).toContain(said.advice);
    const rows = { table_id: "daily-weather", columns: ["date", "wind"], order_by: [{ column: "date" }], limit: 1 };
    const first = await call("query_table", rows);
    expect(first.said).toMatchObject({ rows: [["2012-01-01", expect.any(Number)]], next_cursor: null });
    expect(first.said.advice).toContain("The next row ties");
    const second = await call("query_table", { ...rows, offset: 1 });
    expect(second.said.rows).not.toEqual(first.said.rows);
  });
});

test("omitted columns mean all columns", async () => {
  const { said } = await call("query_table", { table_id: "daily-weather", limit: 1 });
  expect(said.columns.map(({ name }: { name: string }) => name)).toEqual(
    (await call("get_table_schema", { table_id: "daily-weather" })).said.columns.map(
      ({ name }: { name: string }) => name,
    ),
  );
});

test.each([
  [[{ column: "location", operator: "eq", value: "seattle" }], "Did you mean “Seattle”?"],
  [[{ column: "location", operator: "eq", value: "California" }], "Values of location look like "],
  [[{ column: "date", operator: "gt", value: "2020-01-01" }], "date ranges from 2012-01-01 to 2015-12-31"],
])("%o matches nothing, and both forms suggest near values", async (filters, near) => {
  for (const more of [{}, counted]) {
    const { said, text } = await call("query_table", { table_id: "daily-weather", filters, ...more });
    expect(said.advice).toContain(near);
    expect(text).toContain(said.advice);
  }
});
