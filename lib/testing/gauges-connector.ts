import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { publishTable } from "@/lib/publish/publish";
import { serveConnector } from "./connector-server";
import { useTestState } from "./database";
import { expectTyped } from "./typed-reply";

const ROOMY = { LIMIT_KEY_MINUTE: "100000", LIMIT_KEY_DAY: "100000" };
const FIRST_BIG = 9_007_199_254_740_993n;
const ROWS = Array.from({ length: 300 }, (_, at) => `${at},${FIRST_BIG + BigInt(at)},${at}.10,row ${at}\n`);
const DATASET = {
  slug: "gauges",
  title: "River gauges",
  summary: "Levels.",
  description: "",
  publisher: { name: "Agency" },
  license: "CC0-1.0",
  topics: ["water"],
};

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect replies, and each says what it expects
  json: any;
}

/** A call of a tool, as a message. */
export const call = (name: string, args: unknown = {}, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

/**
 * Gives the test file its own state and a connector over HTTP with one table, `gauges/rows` of 300 rows, and a use key.
 * Call at its top.
 */
export function useGauges() {
  useTestState(ROOMY);
  const folder = mkdtempSync(join(tmpdir(), "parquetry-connector-"));
  let service: Awaited<ReturnType<typeof serveConnector>>;
  let key = "";
  let tableId = "";
  beforeAll(async () => {
    service = await serveConnector();
    key = (await createUseKey({ email: "agent@example.com", name: "agent" }, new Date())).key;
    const file = join(folder, "rows.csv");
    writeFileSync(file, `id,big,price,name\n${ROWS.join("")}`);
    const table = { slug: "rows", name: "Rows" };
    const columns = [{ name: "price", type: "decimal(9,2)" }];
    tableId = (await publishTable({ file, dataset: DATASET, table, columns }, { now: () => new Date() })).table_id;
  });
  afterAll(async () => {
    await service.close();
    await closeReadingEngine();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get url() {
      return service.url;
    },
    get key() {
      return key;
    },
    get tableId() {
      return tableId;
    },
    bearer: () => ({ authorization: `Bearer ${key}` }),
    callsOf: () => callsOn(tableId),
    post: (message: unknown, headers?: Record<string, string>, method?: string) =>
      post(service.url, message, headers, method),
  };
}

/** Arguments with which every tool that a use key may call succeeds. */
const callsOn = (tableId: string): Record<string, Record<string, unknown>> => ({
  search: { query: "river" },
  fetch: { id: "gauges" },
  search_datasets: { q: "river" },
  get_dataset: { slug: "gauges" },
  list_tables: { slug: "gauges" },
  get_table_schema: { table_id: tableId },
  sample_rows: { table_id: "gauges/rows" },
  list_versions: { table_id: "gauges" },
  compare_versions: { table_id: tableId, from: "1", to: "1" },
  get_download_instructions: { table_id: tableId },
  get_access_instructions: {},
  query_table: { table_id: tableId, columns: ["id", "price"] },
  catalog_search: { query: "river" },
  list_connected_datasets: {},
});

/** One message as any program would post it; a tool's reply has to fit its schema. */
async function post(
  url: URL,
  message: unknown,
  headers: Record<string, string> = {},
  method = "POST",
): Promise<Answer> {
  const body = method === "POST" ? { body: typeof message === "string" ? message : JSON.stringify(message) } : {};
  const reply = await fetch(url, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...body,
  });
  const text = await reply.text();
  const json = text ? JSON.parse(text) : undefined;
  const structured = json?.result?.structuredContent;
  if (structured !== undefined && typeof message !== "string") expectTyped(calledName(message), structured);
  return { status: reply.status, headers: reply.headers, text, json };
}

const calledName = (message: unknown): string => (message as ReturnType<typeof call>).params.name;
