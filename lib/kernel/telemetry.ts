import {
  type Context,
  context,
  createContextKey,
  type Meter,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { Failure } from "./errors";
import { forgetProcessWide, processWide } from "./process-wide";

/** From a lookup in memory to a query's time limit, in seconds. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60];
/** From a small read to a large file, in seconds: for runs and the object store. */
const LONG_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600];

interface Metric {
  /** By the semantic conventions where they have one. */
  name: string;
  kind: "histogram" | "counter" | "observed";
  unit: string;
  about: string;
  labels: readonly Label[];
  boundaries?: readonly number[];
}

/** Values of labels are words of the program: never a path, an id, a key, an address or anything that a client sent. */
type Label =
  | "operation"
  | "status_class"
  | "outcome"
  | "state"
  | "cache"
  | "result"
  | "queue"
  | "channel"
  | "tool"
  | "request"
  | "direction"
  | "gc_type"
  | "quantile";

/** THE metrics. */
export const METRICS = {
  requests: {
    ...{ name: "http.server.request.duration", kind: "histogram", unit: "s", boundaries: SECONDS },
    about: "Duration of HTTP requests, from head to last byte",
    labels: ["operation", "status_class"],
  },
  tools: {
    ...{ name: "mcp.server.operation.duration", kind: "histogram", unit: "s", boundaries: SECONDS },
    about: "Duration of the connector's tool calls",
    labels: ["tool", "outcome"],
  },
  queryQueue: {
    ...{ name: "parquetry.query.queue.duration", kind: "histogram", unit: "s", boundaries: SECONDS },
    about: "How long queries waited for a slot of the engine",
    labels: [],
  },
  queries: {
    ...{ name: "parquetry.query.duration", kind: "histogram", unit: "s", boundaries: SECONDS },
    about: "Duration of queries in the engine, without their wait; outcome query_timeout if they reached the limit",
    labels: ["outcome"],
  },
  queryRows: {
    ...{ name: "parquetry.query.rows", kind: "counter", unit: "{row}" },
    about: "Rows that queries returned",
    labels: [],
  },
  queryScanned: {
    ...{ name: "parquetry.query.scanned", kind: "counter", unit: "By" },
    about: "Stored bytes that queries had to read",
    labels: [],
  },
  querySlots: {
    ...{ name: "parquetry.query.slots", kind: "observed", unit: "{slot}" },
    about: "Slots of the engine",
    labels: ["state"],
  },
  queryMemory: {
    ...{ name: "parquetry.query.memory", kind: "observed", unit: "By" },
    about: "Memory that the engine's buffers use",
    labels: [],
  },
  caches: {
    ...{ name: "parquetry.cache.requests", kind: "counter", unit: "{request}" },
    about: "Lookups in caches, by whether they found something",
    labels: ["cache", "result"],
  },
  statements: {
    ...{ name: "db.client.operation.duration", kind: "histogram", unit: "s", boundaries: SECONDS },
    about: "Duration of the database's statements",
    labels: ["outcome"],
  },
  connectionWaits: {
    ...{ name: "db.client.connection.wait_time", kind: "histogram", unit: "s", boundaries: SECONDS },
    about: "How long callers waited for a database connection",
    labels: ["outcome"],
  },
  connections: {
    ...{ name: "db.client.connection.count", kind: "observed", unit: "{connection}" },
    about: "Open database connections",
    labels: ["state"],
  },
  storeRequests: {
    ...{ name: "parquetry.object_store.duration", kind: "histogram", unit: "s", boundaries: LONG_SECONDS },
    about: "Duration of requests to the object store with their retries, to the head of the reply",
    labels: ["request", "outcome"],
  },
  storeRetries: {
    ...{ name: "parquetry.object_store.retries", kind: "counter", unit: "{request}" },
    about: "Requests to the object store that were repeated",
    labels: ["request"],
  },
  storeBytes: {
    ...{ name: "parquetry.object_store.bytes", kind: "counter", unit: "By" },
    about: "Bytes of objects that were sent to the object store and received from it",
    labels: ["direction"],
  },
  sandboxes: {
    ...{ name: "parquetry.sandbox.duration", kind: "histogram", unit: "s", boundaries: LONG_SECONDS },
    about: "Duration of runs in the sandbox",
    labels: ["outcome"],
  },
  jobs: {
    ...{ name: "parquetry.jobs", kind: "observed", unit: "{job}" },
    about: "Jobs of the queues, of all instances",
    labels: ["queue", "state"],
  },
  jobAge: {
    ...{ name: "parquetry.jobs.oldest_age", kind: "observed", unit: "s" },
    about: "Age of the oldest job that waits",
    labels: ["queue"],
  },
  deliveryLag: {
    ...{ name: "parquetry.deliveries.lag", kind: "observed", unit: "s" },
    about: "How long the oldest delivery that is due has been waiting",
    labels: ["channel"],
  },
  loopDelay: {
    ...{ name: "nodejs.eventloop.delay", kind: "observed", unit: "s" },
    about: "Delay of the event loop since the last reading",
    labels: ["quantile"],
  },
  garbage: {
    ...{ name: "v8js.gc.duration", kind: "histogram", unit: "s", boundaries: SECONDS },
    about: "Duration of garbage collections",
    labels: ["gc_type"],
  },
  memory: {
    ...{ name: "process.memory.usage", kind: "observed", unit: "By" },
    about: "Resident memory of the process",
    labels: [],
  },
  heap: {
    ...{ name: "v8js.memory.heap.used", kind: "observed", unit: "By" },
    about: "Memory of JavaScript's objects",
    labels: [],
  },
} as const satisfies Readonly<Record<string, Metric>>;

type MetricName = keyof typeof METRICS;
type LabelsOf<M extends MetricName> = Readonly<Record<(typeof METRICS)[M]["labels"][number], string>>;
type Reading = readonly [value: number, labels?: Readonly<Partial<Record<Label, string>>>];

/** Where spans and metrics go: the SDK's, once it was started. Spans have their own switch. */
interface Telemetry {
  meter: Meter;
  tracer: Tracer | undefined;
}

interface Started extends Telemetry {
  instruments: Map<MetricName, (value: number, labels: Readonly<Record<string, string>>) => void>;
}

const NAME = "telemetry";
const telemetry = (): Started | undefined => processWide<Started | undefined>(NAME, () => undefined);

/** Makes this process send spans and metrics, or none: what was started before does not begin again. */
export function sendTelemetry(to: Telemetry | undefined): void {
  forgetProcessWide(NAME);
  if (to) processWide(NAME, () => ({ ...to, instruments: new Map() }));
}

/** Adds a value to a counter or histogram. Costs nothing without telemetry. */
export function measure<M extends MetricName>(name: M, value: number, labels: LabelsOf<M>): void {
  const started = telemetry();
  if (!started) return;
  const record = started.instruments.get(name) ?? instrument(started.meter, METRICS[name]);
  started.instruments.set(name, record);
  record(value, labels);
}

function instrument(meter: Meter, { name, kind, unit, about, boundaries }: Metric) {
  const options = { unit, description: about };
  if (kind === "counter") {
    const counter = meter.createCounter(name, options);
    return (value: number, labels: Readonly<Record<string, string>>) => counter.add(value, labels);
  }
  const advice = { explicitBucketBoundaries: [...(boundaries ?? SECONDS)] };
  const histogram = meter.createHistogram(name, { ...options, advice });
  return (value: number, labels: Readonly<Record<string, string>>) => histogram.record(value, labels);
}

/** Has values read whenever metrics are. What `read` rejects with leaves the metric out. */
export function observe(name: MetricName, read: () => readonly Reading[] | Promise<readonly Reading[]>): void {
  const { name: metric, unit, about } = METRICS[name];
  const gauge = telemetry()?.meter.createObservableGauge(metric, { unit, description: about });
  gauge?.addCallback(async (result) => {
    for (const [value, labels = {}] of await Promise.resolve(read()).catch(() => [])) result.observe(value, labels);
  });
}

/** Seconds since a moment of `performance.now()`. */
const secondsSince = (atMs: number): number => (performance.now() - atMs) / 1000;

/** `ok`, or the code of the error table: `internal` for whatever has none. */
const outcomeOf = (error: unknown): string => (error instanceof Failure ? error.code : "internal");

type Timed = "queries" | "sandboxes" | "connectionWaits" | "statements" | "tools";
type OtherLabels<M extends MetricName> = Omit<LabelsOf<M>, "outcome">;

/** Measures how long `work` takes, by its outcome. */
export async function timed<M extends Timed, T>(name: M, labels: OtherLabels<M>, work: () => Promise<T>): Promise<T> {
  const end = begin(name, labels);
  if (!end) return work();
  try {
    const result = await work();
    end();
    return result;
  } catch (error) {
    end(error);
    throw error;
  }
}

/**
 * Begins a measurement, and a span if it is at a seam, that end with an outcome: the function is called with the error,
 * if there was one. Undefined without telemetry.
 */
export function begin<M extends Timed>(
  name: M,
  labels: OtherLabels<M>,
  seam?: Seam,
): ((error?: unknown) => void) | undefined {
  const started = telemetry();
  if (!started) return undefined;
  const span = seam && tracerHere()?.startSpan(seam);
  const atMs = performance.now();
  return (error) => {
    const outcome = error === undefined || error === null ? "ok" : outcomeOf(error);
    measure(name, secondsSince(atMs), { ...labels, outcome } as unknown as LabelsOf<M>);
    if (span && outcome !== "ok") failed(span, outcome);
    span?.end();
  };
}

/** The names of spans: the seams between a request and its answer. */
type Seam = "operation" | "tool" | "key look-up" | "database" | "engine" | "sandbox";

/** Undefined without telemetry, and within a trace that is not sent. */
function tracerHere(): Tracer | undefined {
  const tracer = telemetry()?.tracer;
  return tracer && trace.getActiveSpan()?.isRecording() === false ? undefined : tracer;
}

/** Does work in a span of the current trace, if there is one: `what` says which operation or tool. */
export function inSpan<T>(seam: Seam, work: () => Promise<T>, what?: string): Promise<T> {
  const tracer = tracerHere();
  if (!tracer) return work();
  const name = what === undefined ? seam : `${seam} ${what}`;
  return tracer.startActiveSpan(name, async (span) => {
    try {
      return await work();
    } catch (error) {
      failed(span, outcomeOf(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

function failed(span: Span, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute("error.type", type);
}

/** A request on its way through the listener. */
interface RequestTrace {
  /** Of its span, which is part of the client's trace if it sent one. */
  traceId: string | undefined;
  run<T>(work: () => T): T;
  end(status: number): void;
}

const OPERATION = createContextKey("parquetry operation");
const UNTRACED: RequestTrace = { traceId: undefined, run: (work) => work(), end: () => undefined };

/** Begins the span and the measurement of a request, as `kind` until an operation names itself (`nameRequest`). */
export function traceRequest(method: string, headers: Readonly<Record<string, unknown>>, kind: string): RequestTrace {
  const started = telemetry();
  if (!started) return UNTRACED;
  const atMs = performance.now();
  const named = { operation: kind };
  const parent = propagation.extract(ROOT_CONTEXT, headers);
  const span = started.tracer?.startSpan(method, { kind: SpanKind.SERVER }, parent);
  const inside: Context = (span ? trace.setSpan(parent, span) : parent).setValue(OPERATION, named);
  return {
    traceId: span?.spanContext().traceId,
    run: (work) => context.with(inside, work),
    end(status) {
      const operation = named.operation;
      measure("requests", secondsSince(atMs), { operation, status_class: `${Math.floor(status / 100)}xx` });
      span?.updateName(`${method} ${operation}`);
      span?.setAttributes({ "http.request.method": method, "http.response.status_code": status });
      if (span && status >= 500) failed(span, String(status));
      span?.end();
    },
  };
}

/** Names the operation that the current request is for. */
export function nameRequest(operation: string): void {
  if (!telemetry()) return;
  const named = context.active().getValue(OPERATION) as { operation: string } | undefined;
  if (named) named.operation = operation;
}

/** The trace that is being worked on, for log lines. */
export const activeTraceId = (): string | undefined =>
  telemetry()?.tracer && trace.getActiveSpan()?.spanContext().traceId;
