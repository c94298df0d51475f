import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, expect, test } from "vitest";
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
const palmerPenguins = readShowcase("palmer-penguins");

useTestState({ LIMIT_KEY_MINUTE: "100000", LIMIT_KEY_DAY: "100000" });

const folder = mkdtempSync(join(tmpdir(), "parquetry-reply-size-"));
let service: Awaited<ReturnType<typeof serveConnector>>;
let key = "";
const tables: Record<string, string> = {};

beforeAll(async () => {
  service = await serveConnector();
  key = (await createUseKey({ email: "agent@example.com", name: "agent" }, new Date())).key;
  const newest = ({ tables: all, ...rest }: typeof mimeTypes) => ({
    ...rest,
    tables: all.map((table) => ({ ...table, versions: table.versions.slice(-1) })),
  });
  const publish = async (request: Parameters<typeof publishTable>[0]) => {
    const receipt = await publishTable(request, { now: () => new Date() });
    tables[receipt.dataset] = receipt.table_id;
    return receipt;
  };
  const ctx = { publish, newestVersionAt, workDir: folder, progress: () => undefined };
  await fillShowcase(ctx, [palmerPenguins, dailyWeather, newest(mimeTypes)]);
});

afterAll(async () => {
  await service.close();
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

/** Queries that agents make: counts, groups, the top of an order, and pages of rows. */
const QUERIES: readonly [dataset: string, query: object][] = [
  ["palmer-penguins", { columns: [], aggregates: [{ function: "count", as: "n" }] }],
  ["palmer-penguins", { columns: [], group_by: ["Species"], aggregates: [{ function: "count", as: "n" }] }],
  ["palmer-penguins", { columns: ["Species", "Island", "Sex"], limit: 20 }],
  ["palmer-penguins", { columns: ["Species", "Body Mass (g)"], order_by: [{ column: "Body Mass (g)" }], limit: 5 }],
  ["palmer-penguins", { columns: ["Species", "Island", "Sex", "Body Mass (g)", "Flipper Length (mm)"] }],
  ["daily-weather", { columns: [], group_by: ["location", "weather"], aggregates: [{ function: "count", as: "n" }] }],
  ["daily-weather", { columns: ["date", "location", "precipitation", "temp_max", "temp_min", "wind", "weather"] }],
  ["daily-weather", { columns: ["date", "wind"], order_by: [{ column: "wind", direction: "desc" }], limit: 10 }],
  ["mime-types", { columns: [], group_by: ["source"], aggregates: [{ function: "count", as: "n" }] }],
  ["mime-types", { columns: ["mime_type", "source", "extensions"], limit: 30 }],
  ["mime-types", { columns: [], group_by: ["top_level_type", "source"], aggregates: [{ function: "count", as: "n" }] }],
  ["mime-types", { columns: ["mime_type"], filters: [{ column: "subtype", operator: "contains", value: "zip" }] }],
];

interface Structured {
  columns: { name: string }[];
  rows: unknown[][];
  next_cursor: string | null;
  citation: string;
  execution: { truncated: boolean };
}

/** The same reply in its earlier form: each row an object, and the citation, too. */
function asObjects({ columns, rows, next_cursor, citation, execution }: Structured, tableId: string): object {
  const [, dataset, table, digest, queried_at, url = ""] =
    /^Cite: (.+?), table (.+), (\S+), queried (\S+), (\S+)$/.exec(citation) ?? [];
  const version_id = url.slice(-36);
  return {
    columns,
    rows: rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]]))),
    next_cursor,
    ...{ returned_rows: rows.length, truncated: execution.truncated },
    citation: {
      dataset,
      url,
      table,
      table_id: tableId,
      version_id,
      content_digest: digest,
      queried_at: queried_at?.replace("Z", ".123Z"),
    },
  };
}

const tokens = (value: unknown): number => encode(typeof value === "string" ? value : JSON.stringify(value)).length;

test("the structured content of a query takes 30 % fewer tokens than with rows as objects", async () => {
  const sums = { structured: 0, before: 0, text: 0 };
  for (const [dataset, query] of QUERIES) {
    const table_id = tables[dataset] ?? "";
    const params = { name: "query_table", arguments: { table_id, ...query } };
    const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const { result } = (await (await fetch(service.url, { method: "POST", headers, body })).json()) as {
      result: { isError?: boolean; content: { text: string }[]; structuredContent: Structured };
    };
    const text = result.content[0]?.text ?? "";
    expect([query, result.isError ?? false, text]).toEqual([query, false, expect.any(String)]);
    sums.structured += tokens(result.structuredContent);
    sums.before += tokens(asObjects(result.structuredContent, table_id));
    sums.text += tokens(text);
  }
  expect(sums.structured).toBeLessThan(0.7 * sums.before);
  expect(sums.structured).toBeLessThan(1.15 * sums.text);
});
