import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parse, stringify } from "lossless-json";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { withWriter } from "@/lib/engine/duckdb/duckdb";
import { quoteIdentifier, quoteLiteral } from "@/lib/engine/sql/identifier";
import { queryTable } from "@/lib/operations/query-table";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { type RandomTable, randomTable } from "@/lib/testing/arbitraries";
import { randomQuery } from "@/lib/testing/arbitrary-queries";
import { useTestState } from "@/lib/testing/database";
import { propertyParameters } from "@/lib/testing/property";
import { publishFile } from "@/lib/testing/publish-text";
import { serve } from "@/lib/testing/serve";
import { answerConnector } from "./connector";

useTestState({ LIMIT_KEY_MINUTE: "100000", LIMIT_KEY_DAY: "100000" });

const QUERIES_EACH = 10;
const { numRuns: TABLES, seed: SEED } = propertyParameters(8);
const folder = mkdtempSync(join(tmpdir(), "parquetry-same-"));
let key = "";

beforeAll(async () => {
  key = (await createUseKey({ email: "same@example.com", name: "same" }, new Date())).key;
});

afterAll(async () => {
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

/** Two of the names are reserved by the storage, so nothing can be published under them. */
const withPlainNames = (table: RandomTable): RandomTable => ({
  ...table,
  rows: Math.max(table.rows, 1),
  columns: table.columns.map((column) => ({
    ...column,
    name: column.name.replace(/^(?:file_row_number|rowid)$/, "own $&"),
  })),
});

async function publish(table: RandomTable, at: number): Promise<string> {
  const file = join(folder, `${at}.parquet`);
  const cells = table.columns.map(({ name, storage, pool }, column) => {
    const list = pool.map((cell) => (cell === null ? "NULL" : quoteLiteral(cell))).join(", ");
    return (
      `CAST(list_extract([${list}]::VARCHAR[], 1 + CAST(hash(i * 31 + ${column * 7919 + table.seed}) % ` +
      `${pool.length} AS BIGINT)) AS ${storage}) AS ${quoteIdentifier(name)}`
    );
  });
  await withWriter({ tempDir: join(folder, "tmp"), memoryMb: 512, threads: 1 }, async (connection) => {
    await connection.run(
      `COPY (SELECT ${cells.join(", ")} FROM range(${table.rows}) t(i)) TO ${quoteLiteral(file)} (FORMAT parquet)`,
    );
  });
  return (await publishFile(`same-${at}`, file)).table_id;
}

async function ask(
  url: string,
  body: string,
  headers: Record<string, string>,
  handle: (request: Request) => Promise<Response>,
): Promise<string> {
  const reply = await handle(
    new Request(url, {
      method: "POST",
      headers: { "content-type": "application/json", host: "localhost", ...headers },
      body,
    }),
  );
  return reply.text();
}

interface Rows {
  error?: string;
  /** Each row's JSON, digit for digit. */
  rows: string[];
}

async function overRest(tableId: string, query: string): Promise<Rows> {
  const handler = serve({ POST: queryTable }).POST;
  const text = await ask("http://localhost/", query, { "x-api-key": key }, (request) =>
    handler(request, { params: Promise.resolve({ table_id: tableId }) }),
  );
  const reply = parse(text) as { error?: string; rows?: unknown[] };
  return { ...(reply.error && { error: reply.error }), rows: (reply.rows ?? []).map((row) => stringify(row) ?? "") };
}

interface Called {
  result: {
    isError?: boolean;
    content: { text: string }[];
    structuredContent?: { rows: unknown[][]; columns: { name: string }[] };
  };
}

async function overConnector(tableId: string, query: string): Promise<Rows & { texts: string[]; columns: string[] }> {
  const args = `{"table_id":"${tableId}",${query.slice(1)}`;
  const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_table","arguments":${args}}}`;
  const { result } = parse(
    await ask("http://localhost/api/mcp", message, { authorization: `Bearer ${key}` }, (request) =>
      answerConnector(request, "/api/mcp"),
    ),
  ) as Called;
  const lines = result.content[0]?.text.split("\n") ?? [];
  if (result.isError) return { error: lines[0]?.split(":")[0] ?? "", rows: [], texts: [], columns: [] };
  const { rows = [], columns = [] } = result.structuredContent ?? {};
  return {
    rows: rows.map((row) => stringify(Object.fromEntries(columns.map(({ name }, at) => [name, row[at]]))) ?? ""),
    texts: lines.filter((line) => line.startsWith("[")),
    columns: columns.map(({ name }) => name),
  };
}

test("REST and the connector give the same values, digit for digit, for random queries", async () => {
  let compared = 0;
  for (const [at, random] of fc.sample(randomTable, { numRuns: TABLES, seed: SEED }).entries()) {
    const table = withPlainNames(random);
    const tableId = await publish(table, at);
    for (const query of fc.sample(randomQuery(table), { numRuns: QUERIES_EACH, seed: SEED + at })) {
      const limited = `{"limit":50,${query}}`;
      const [rest, connector] = await Promise.all([overRest(tableId, limited), overConnector(tableId, limited)]);
      expect([limited, connector.error]).toEqual([limited, rest.error]);
      expect([limited, connector.rows]).toEqual([limited, rest.rows.slice(0, connector.rows.length)]);
      if (rest.rows.length > 0) expect(connector.rows.length).toBeGreaterThan(0);
      const listed = connector.rows.map((row) =>
        stringify(connector.columns.map((name) => (parse(row) as Record<string, unknown>)[name])),
      );
      expect([limited, connector.texts]).toEqual([limited, listed]);
      compared += 1;
    }
  }
  expect(compared).toBe(TABLES * QUERIES_EACH);
});
