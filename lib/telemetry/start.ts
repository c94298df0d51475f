import { context, DiagLogLevel, diag, propagation } from "@opentelemetry/api";
import type { MetricReader } from "@opentelemetry/sdk-metrics";
import { log } from "@/lib/http/log";
import { env, type Settings } from "@/lib/kernel/env";
import { sendTelemetry } from "@/lib/kernel/telemetry";
import { withoutEnd } from "@/lib/kernel/trim-signs";
import { observeProcess } from "./observed";

/** Ends telemetry: sends what has not been sent. */
export type StopTelemetry = () => Promise<void>;

/** The process that sends: of the service, or of a worker. */
type Role = "server" | "worker";

const NAME = "parquetry";
/** What has not been sent by then is lost: a collector that is down must not hold the end of the process. */
const STOP_MS = 3_000;

const UNSAID = { info: () => undefined, debug: () => undefined, verbose: () => undefined };
const COMPLAINT_MAX = 500;
/** What OpenTelemetry complains about, such as a collector that cannot be reached. */
const complain = (text: string): void => log().warn(`telemetry: ${text.slice(0, COMPLAINT_MAX)}`);

/**
 * Starts OpenTelemetry as the settings say: spans and metrics to OTEL_EXPORTER_OTLP_ENDPOINT, metrics at
 * METRICS_HOST:METRICS_PORT. Loads nothing if neither is set. Call it before what is measured is opened.
 */
export async function startTelemetry(
  role: Role,
  settings: Pick<
    Settings,
    "OTEL_EXPORTER_OTLP_ENDPOINT" | "OTEL_TRACES_SAMPLER_ARG" | "METRICS_PORT" | "METRICS_HOST"
  > = env(),
): Promise<StopTelemetry> {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined && settings.METRICS_PORT === undefined)
    return async () => undefined;
  const [{ AsyncLocalStorageContextManager }, { W3CTraceContextPropagator }, { MeterProvider }] = await Promise.all([
    import("@opentelemetry/context-async-hooks"),
    import("@opentelemetry/core"),
    import("@opentelemetry/sdk-metrics"),
  ]);
  diag.setLogger({ ...UNSAID, error: complain, warn: complain }, DiagLogLevel.WARN);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const resource = await describeProcess(role);
  const meters = new MeterProvider({ resource, readers: await readersOf(settings) });
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = settings;
  const tracers = endpoint === undefined ? undefined : await tracerProvider(resource, endpoint, share);
  // not registered with the API: the framework's spans have URLs with what people search for
  sendTelemetry({ meter: meters.getMeter(NAME), tracer: tracers?.getTracer(NAME) });
  const stopObserving = observeProcess();
  return async () => {
    stopObserving();
    sendTelemetry(undefined);
    const ended = Promise.allSettled([tracers?.shutdown(), meters.shutdown()]);
    await Promise.race([ended, new Promise((late) => setTimeout(late, STOP_MS).unref())]);
    for (const api of [context, propagation, diag]) api.disable();
  };
}

/** Where a collector takes these. */
const at = (endpoint: string, signal: "metrics" | "traces"): string => `${withoutEnd(endpoint, "/")}/v1/${signal}`;

async function describeProcess(role: Role) {
  const { defaultResource, detectResources, envDetector, resourceFromAttributes, serviceInstanceIdDetector } =
    await import("@opentelemetry/resources");
  const own = { "service.name": role === "server" ? NAME : `${NAME}-${role}` };
  const detected = detectResources({ detectors: [serviceInstanceIdDetector, envDetector] });
  return defaultResource().merge(resourceFromAttributes(own)).merge(detected);
}

async function readersOf({
  OTEL_EXPORTER_OTLP_ENDPOINT,
  METRICS_PORT,
  METRICS_HOST,
}: Pick<Settings, "OTEL_EXPORTER_OTLP_ENDPOINT" | "METRICS_PORT" | "METRICS_HOST">): Promise<MetricReader[]> {
  const readers: MetricReader[] = [];
  if (OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
    const [{ PeriodicExportingMetricReader }, { OTLPMetricExporter }] = await Promise.all([
      import("@opentelemetry/sdk-metrics"),
      import("@opentelemetry/exporter-metrics-otlp-http"),
    ]);
    readers.push(
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: at(OTEL_EXPORTER_OTLP_ENDPOINT, "metrics") }),
      }),
    );
  }
  if (METRICS_PORT !== undefined) {
    const { PrometheusExporter } = await import("@opentelemetry/exporter-prometheus");
    const exporter = new PrometheusExporter({ host: METRICS_HOST, port: METRICS_PORT, preventServerStart: true });
    await exporter.startServer().catch((error: NodeJS.ErrnoException) => {
      throw new Error(`Metrics cannot be served (${error.code}). Set METRICS_PORT to a free port.`, { cause: error });
    });
    readers.push(exporter);
  }
  return readers;
}

async function tracerProvider(resource: Awaited<ReturnType<typeof describeProcess>>, endpoint: string, share: number) {
  const [sdk, { OTLPTraceExporter }] = await Promise.all([
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-http"),
  ]);
  const { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } = sdk;
  const exporter = new OTLPTraceExporter({ url: at(endpoint, "traces") });
  const sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) });
  return new TracerProvider({ resource, sampler, spanProcessors: [new BatchSpanProcessor({ exporter })] });
}
