import { createServer } from "node:http";
import { resolve } from "node:path";
import next from "next";
import { takePage } from "@/lib/access/quotas";
import { handle, methods, serves, takesFile } from "@/lib/door/handle";
import { log } from "@/lib/http/log";
import { outliveOutput } from "@/lib/http/log-output";
import { env } from "@/lib/kernel/env";
import { lowerThreads } from "@/lib/kernel/thread-priority";
import { closeRedis } from "@/lib/limits/redis-counters";
import { notReadyBefore, type PartState, partStates } from "@/lib/operations/check-readiness";
import { closeReadingEngine, readingEngine } from "@/lib/operations/reading/reading-engine";
import { warmUp } from "@/lib/operations/reading/warm-up";
import { statusRecord } from "@/lib/operations/status-record";
import { beginFirstFill } from "@/lib/showcase/first-fill";
import { siteBuild } from "@/lib/start/site-build";
import { finishBackground } from "@/lib/store/background";
import { fillSearchTexts } from "@/lib/store/catalogue/search-text";
import { recordFillStopped } from "@/lib/store/fill-progress";
import { watchMaintenance } from "@/lib/store/maintenance";
import { closeDatabase, database } from "@/lib/store/postgres/database";
import { pagesGeneration } from "@/lib/store/postgres/generation";
import { startTelemetry } from "@/lib/telemetry/start";
import { startWorkerProcesses } from "@/lib/worker/processes";
import nextConfig from "@/next.config";
import { type Filling, startFilling } from "./background-fill";
import { consoleToLog } from "./console-log";
import { logFailedStart } from "./failed-start";
import { startListener } from "./listener";
import { withPageCache } from "./page-cache/page-cache";
import { pagesOnce } from "./pages-once";
import { shutDownOnSignals } from "./shutdown";
import { withCompressedAssets } from "./static-assets";

const EVERY_MS = 60_000;

interface Watched {
  states(): Promise<readonly PartState[]>;
  isMaintained(): boolean;
  onError(error: unknown): void;
}

/** Records every minute which parts respond, for the status page. Returns a stop function, which first ends a round. */
function watchStatus({ states, isMaintained, onError }: Watched, everyMs = EVERY_MS): () => Promise<void> {
  const record = statusRecord();
  let round: Promise<void> | undefined;
  const look = () => {
    if (isMaintained()) record.maintained(new Date());
    else
      round ??= states()
        .then((found) => record.round(new Date(), found))
        .catch(onError)
        .finally(() => {
          round = undefined;
        });
  };
  look();
  const timer = setInterval(look, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await round;
  };
}

const settings = env();
const root = resolve(import.meta.dirname, "../.."); // also when compiled: see lib/start/programs.ts
let workers: ReturnType<typeof startWorkerProcesses> | undefined;
let filling: Filling | undefined;
let endWatch: (() => Promise<void>) | undefined;
/** Bytes that a form adds to its file. */
const FORM_BYTES = 64 * 1024;

outliveOutput();
consoleToLog(log());
const running = logFailedStart(log(), closeDatabase);
const stopTelemetry = await startTelemetry("server", settings);
// Next adds an upgrade handler to the server it receives. This one never listens, so ours handles everything
const app = next({
  dev: false,
  dir: root,
  conf: nextConfig, // otherwise it would be compiled at every start
  port: settings.PORT,
  hostname: settings.HOST,
  httpServer: createServer(),
});
/** The first start builds the pages (lib/start/server.ts). Everything else is served in the meantime. */
const building = siteBuild();
const pages = loadPages();
pages.catch(() => undefined); // reported below when it occurs
// PostgreSQL starts while the framework loads
const [isFirstFill] = await Promise.all([openCatalogue(), readingEngine(), building ? undefined : pages]);
lowerThreads("libuv-worker"); // queries run in these and in the threads that they started
notReadyBefore(Promise.all([pages, warmUpOnce()]));
const maintenance = await watchMaintenance((up) => log().warn(up ? "maintenance mode on" : "maintenance mode off"));
const listener = await startListener({
  door: { serves, takesFile, methods, handle },
  handle: pagesOnce(pages),
  port: settings.PORT,
  host: settings.HOST,
  settings,
  logger: log(),
  maintenance: maintenance.current,
  takePage,
  bounds: {
    fileBytes: settings.UPLOAD_BYTES + FORM_BYTES,
    readRate: settings.READ_RATE_MIN / 1000,
    connectionsMax: settings.CONNECTIONS_MAX,
    addressConnectionsMax: settings.CONNECTIONS_PER_ADDRESS,
  },
}).catch(async (error: NodeJS.ErrnoException) => {
  await release();
  if (error.code !== "EADDRINUSE") throw error;
  log().fatal(`Port ${settings.PORT} is already in use. Set PORT to another port.`);
  process.exit(1);
});
workers = startWorkerProcesses(settings.WORKERS, (code) => log().warn({ code }, "worker ended, restarting"));
endWatch = watchStatus({
  states: partStates,
  isMaintained: () => maintenance.current() !== undefined,
  onError: (error) => log().warn({ err: error }, "recording the state of the service failed"),
});
shutDownOnSignals(listener, release, { delayMs: 1000 * settings.SHUTDOWN_DELAY_SECONDS });
running();
const { url } = listener;
const addresses = { url, connector: `${settings.PARQUETRY_BASE_URL ?? url}/api/mcp` };
if (building) log().info(addresses, "The API and the connector are ready; the pages are still being built:");
await pages.catch(async (err: unknown) => {
  log().fatal({ err }, "the pages could not be built");
  await release();
  process.exit(1);
});
if (isFirstFill) filling = startFilling((code) => void fillEnded(code)); // after the build, which had the CPU to itself
log().info({ ...addresses, data: settings.PARQUETRY_DATA_DIR }, "Parquetry is listening:");

async function loadPages() {
  await building;
  await app.prepare();
  const render = withPageCache(app.getRequestHandler(), {
    generation: pagesGeneration,
    bytes: settings.PAGE_CACHE_MB * 1024 * 1024,
  });
  return withCompressedAssets(root, render);
}

/** What readers want most is here before the load balancer sends them; everybody else is served in the meantime. */
function warmUpOnce(): Promise<void> {
  return warmUp({
    tables: settings.WARM_UP_TABLES,
    signal: AbortSignal.timeout(1000 * settings.WARM_UP_SECONDS),
    onError: (error) => log().warn({ err: error }, "fetching the tables that are read most failed"),
  });
}

/** Whether the catalogue must be filled while it is served. */
async function openCatalogue(): Promise<boolean> {
  await database();
  await fillSearchTexts();
  return beginFirstFill({ say: (text) => log().warn(text) });
}

async function fillEnded(code: number | null): Promise<void> {
  if (code === 0) return;
  await recordFillStopped(true);
  log().error({ code }, "filling the catalogue with the showcase ended early; the next start resumes it");
}

async function release(): Promise<void> {
  await Promise.all([workers?.stop(), filling?.stop(), endWatch?.(), maintenance.close()]);
  await app.close();
  await finishBackground().catch((error) => log().error({ err: error }, "writing the last usage counts failed"));
  await closeReadingEngine();
  closeRedis();
  await stopTelemetry(); // its last reading asks the database
  await closeDatabase();
}
