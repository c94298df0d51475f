import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUseKey } from "@/lib/access/use-keys";
import { newKey } from "@/lib/auth/access-key";
import { handle, methods, serves, takesFile } from "@/lib/door/handle";
import { openLog } from "@/lib/http/log";
import { env } from "@/lib/kernel/env";
import { ERRORS } from "@/lib/kernel/errors";
import { inSpan, METRICS, traceRequest } from "@/lib/kernel/telemetry";
import { toolboxOf } from "@/lib/mcp/tools";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { OPERATIONS } from "@/lib/operations/registry";
import { type Listener, startListener } from "@/lib/server/listener";
import { jobs } from "@/lib/store/runs/jobs";
import { useTestState } from "@/lib/testing/database";
import { FaultyProxy } from "@/lib/testing/faulty-proxy";
import { freePort } from "@/lib/testing/free-port";
import { forgetObjectStore } from "@/lib/testing/memory-objects";
import { ObjectStoreServer, objectStoreProgram } from "@/lib/testing/object-store";
import { publishTwoRows } from "@/lib/testing/two-rows";
import { type StopTelemetry, startTelemetry } from "./start";

const SETTINGS: Record<string, string> = { LIMIT_ADDRESS_MINUTE: "1000", READ_COPIES_MB: "0" };
const hasObjectStore = objectStoreProgram() !== undefined;
let objects: ObjectStoreServer | undefined;
let store: FaultyProxy | undefined;
beforeAll(async () => {
  if (!hasObjectStore) return;
  objects = await ObjectStoreServer.start();
  store = await FaultyProxy.start(objects.endpoint);
  Object.assign(SETTINGS, objects.settings(), { S3_ENDPOINT: store.url });
});
useTestState(SETTINGS);

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SECRET_TEXT = "a-very-private-search";

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: unknown;
}

const spans: OtlpSpan[] = [];
const received: string[] = [];
const collector = createServer(async (req, res) => {
  const body = (await json(req)) as { resourceSpans?: { scopeSpans: { spans: OtlpSpan[] }[] }[] };
  received.push(JSON.stringify(body));
  for (const { scopeSpans } of body.resourceSpans ?? []) for (const scope of scopeSpans) spans.push(...scope.spans);
  res.writeHead(200, { "content-type": "application/json" }).end("{}");
});

let stop: StopTelemetry;
let collectorUrl = "";
let metricsUrl = "";
let listener: Listener;
let tableId = "";
let key = "";
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
  collectorUrl = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  stop = await startTelemetry("server", {
    OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
    OTEL_TRACES_SAMPLER_ARG: 1,
    METRICS_PORT: port,
    METRICS_HOST: "127.0.0.1",
  });
  tableId = await publishTwoRows("measured");
  ({ key } = await createUseKey({ email: "reader@example.com", name: "reader" }, new Date()));
  await jobs();
  listener = await startListener({
    door: { serves, takesFile, methods, handle },
    handle: (_req, res) => void res.end("page"),
    port: 0,
    host: "127.0.0.1",
    settings: env(),
    logger: openLog({ ...env(), PARQUETRY_LOG_LEVEL: "debug" }, { write: (line) => void lines.push(JSON.parse(line)) }),
  });
});

afterAll(async () => {
  await listener.close(0);
  await closeReadingEngine();
  collector.closeAllConnections();
  collector.close();
  await store?.close();
  await objects?.remove();
});

const ask = async (path: string, init: RequestInit = {}): Promise<number> => {
  const reply = await fetch(new URL(path, listener.url), init);
  await reply.arrayBuffer();
  return reply.status;
};

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
      ...headers,
    },
    body: JSON.stringify(body),
  });

/** Requests of every kind, with text that must be found nowhere. */
async function useEverything(): Promise<void> {
  const search = { filters: [{ column: "name", operator: "eq", value: SECRET_TEXT }], columns: ["id"] };
  const query = () => post(`/api/v2/public/tables/${tableId}/query`, search, { "x-api-key": key });
  forgetObjectStore(); // with its local copies
  if (store) expect(await store.during("overloaded", query)).toBe(503);
  expect(await query()).toBe(200);
  expect(await post(`/api/public/tables/${tableId}/query`, { columns: ["nothing"] })).toBe(400);
  expect(await post(`/api/v2/public/tables/${tableId}/query`, search, { "x-api-key": newKey("use") })).toBe(401);
  expect(await ask(`/api/v2/public/datasets?q=${SECRET_TEXT}`)).toBe(200);
  expect(await ask(`/${SECRET_TEXT}`)).toBe(200);
  expect(await ask(`/api/${SECRET_TEXT}`)).toBe(404);
  await ask("/healthz");
  const call = { name: "search", arguments: { query: SECRET_TEXT } };
  expect(
    await post(
      "/api/mcp",
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: call },
      { authorization: `Bearer ${key}` },
    ),
  ).toBe(200);
}

/** The lines of /metrics as names with labels. */
async function readings(): Promise<{ name: string; labels: Record<string, string> }[]> {
  const text = await (await fetch(metricsUrl)).text();
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name = "", inner = ""] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
      return {
        name,
        labels: Object.fromEntries([...inner.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label, value])),
      };
    });
}

const exposed = ({ name, kind }: (typeof METRICS)[keyof typeof METRICS]): string =>
  `${name.replaceAll(".", "_")}${kind === "counter" ? "_total" : ""}`;

const VALUES: Readonly<Record<string, ReadonlySet<string>>> = {
  operation: new Set([...OPERATIONS.map(({ name }) => name), "connector", "page", "document", "asset", "probe"]),
  tool: new Set(toolboxOf(OPERATIONS).all.map(({ name }) => name)),
  outcome: new Set(["ok", ...Object.keys(ERRORS)]),
  status_class: new Set(["1xx", "2xx", "3xx", "4xx", "5xx"]),
  state: new Set(["used", "free", "idle", "waiting", "active"]),
  cache: new Set(["rows", "pages"]),
  result: new Set(["hit", "miss"]),
  queue: new Set(["run", "inspection"]),
  channel: new Set(["webhook", "email"]),
  quantile: new Set(["p50", "p99"]),
  request: new Set(["HeadBucket", "HeadObject", "GetObject", "PutObject"]),
  direction: new Set(["sent", "received"]),
  gc_type: new Set(["minor", "major", "incremental", "other"]),
};

describe("with a collector and a port for metrics", () => {
  test("each metric is there once it has a value, and each label is one of the program's own words", async () => {
    await useEverything();
    const found = await readings();
    const names = new Set(found.flatMap(({ name }) => [name, name.replace(/_bucket$/, "")]));
    const missing = Object.values(METRICS)
      .filter(({ name }) => name !== "parquetry.sandbox.duration" && name !== "v8js.gc.duration")
      .filter(({ name }) => hasObjectStore || !name.startsWith("parquetry.object_store."))
      .map(exposed)
      .filter((name) => !names.has(name));
    expect(missing).toEqual([]);
    const strange = found
      .filter(({ name }) => name !== "target_info")
      .flatMap(({ name, labels }) =>
        Object.entries(labels)
          .filter(
            ([label]) => !["le", "otel_scope_name", "otel_scope_version", "otel_scope_schema_url"].includes(label),
          )
          .filter(([label, value]) => !VALUES[label]?.has(value))
          .map(([label, value]) => `${name} ${label}=${value}`),
      );
    expect(strange).toEqual([]);
  });

  test("log lines and spans belong to the client's trace; no span says what was asked for", async () => {
    expect(lines.find(({ path }) => String(path).endsWith(`${tableId}/query`))).toMatchObject({ trace_id: TRACE });
    await stop(); // sends what is left
    const ours = spans.filter(({ traceId }) => traceId === TRACE);
    const names = new Set(ours.map(({ name }) => name));
    for (const name of [
      "POST query_table",
      "operation query_table",
      "key look-up",
      "database",
      "engine",
      "POST connector",
      "tool search",
    ])
      expect(names).toContain(name);
    const byId = new Map(ours.map((span) => [span.spanId, span]));
    const engine = ours.find(({ name }) => name === "engine");
    const operation = byId.get(engine?.parentSpanId ?? "");
    expect([operation?.name, byId.get(operation?.parentSpanId ?? "")?.name]).toEqual([
      "operation query_table",
      "POST query_table",
    ]);
    expect(received.length).toBeGreaterThan(0);
    for (const gone of [SECRET_TEXT, key, tableId, "reader@example.com", "127.0.0.1"])
      expect(received.join("")).not.toContain(gone);
  });
});

test("without a share of requests, only those whose clients are tracing have spans", async () => {
  spans.length = 0;
  const sending = { OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl, METRICS_PORT: undefined, METRICS_HOST: "127.0.0.1" };
  const stopNone = await startTelemetry("server", { ...sending, OTEL_TRACES_SAMPLER_ARG: 0 });
  const parents = ["", `00-${TRACE}-00f067aa0ba902b7-00`, `00-${TRACE}-00f067aa0ba902b7-01`];
  for (const traceparent of parents) {
    const traced = traceRequest("GET", traceparent === "" ? {} : { traceparent }, "document");
    await traced.run(() => inSpan("operation", () => inSpan("key look-up", async () => undefined), "query_table"));
    traced.end(200);
  }
  await stopNone();
  expect(spans.map(({ name }) => name).sort()).toEqual(["GET document", "key look-up", "operation query_table"]);
});

const LOADED = `
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
  const { startTelemetry } = await import("@/lib/telemetry/start");
  await startTelemetry("server");
  const names = loaded.flatMap((url) => /@opentelemetry\\/[^/]+/.exec(url) ?? []);
  console.log(JSON.stringify([...new Set(names)]));
  process.exit(0);`;

async function loadedWith(variables: Readonly<Record<string, string>>): Promise<string[]> {
  const args = ["--import", "tsx", "--input-type=module", "-e", LOADED];
  const settings = { NODE_ENV: "test" as const, ...variables };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: resolve("."), env: settings });
  return JSON.parse(stdout);
}

test("without either setting, no module of the SDK is loaded; with one, what it needs", async () => {
  expect(await loadedWith({})).toEqual(["@opentelemetry/api"]);
  const metrics = await loadedWith({ METRICS_PORT: String(await freePort()) });
  expect(metrics).toContain("@opentelemetry/sdk-metrics");
  expect(metrics).not.toContain("@opentelemetry/sdk-trace");
});
