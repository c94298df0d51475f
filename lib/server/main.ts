import { createServer } from "node:http";
import { resolve } from "node:path";
import next from "next";
import { takePage } from "@/lib/access/quotas";
import { handle, serves, takesFile } from "@/lib/door/handle";
import { log } from "@/lib/http/log";
import { env } from "@/lib/kernel/env";
import { closeRedis } from "@/lib/limits/redis-counters";
import { closeReadingEngine, readingEngine } from "@/lib/operations/reading/reading-engine";
import { fillFirstTime } from "@/lib/showcase/first-fill";
import type { ReplayedVersion } from "@/lib/showcase/recipe";
import { watchMaintenance } from "@/lib/storage/maintenance";
import { finishBackground } from "@/lib/store/background";
import { closeDatabase, database } from "@/lib/store/database";
import { fillSearchTexts } from "@/lib/store/search-text";
import { startWorkerProcesses } from "@/lib/worker/processes";
import { replayVersion } from "@/lib/worker/replay-version";
import nextConfig from "@/next.config";
import { consoleToLog } from "./console-log";
import { logFailedStart } from "./failed-start";
import { startListener } from "./listener";
import { shutDownOnSignals } from "./shutdown";
import { withCompressedAssets } from "./static-assets";

const settings = env();
const root = resolve(import.meta.dirname, "../.."); // compiled, too: see lib/start/programs.ts
let workers: ReturnType<typeof startWorkerProcesses> | undefined;
/** What a form adds to its file. */
const FORM_BYTES = 64 * 1024;
const say = (text: string) => void process.stdout.write(`${text}\n`);

consoleToLog(log());
const running = logFailedStart(log());
// Next adds an upgrade handler to the server it receives: one that never listens, so that ours handles all
const app = next({
  dev: false,
  dir: root,
  conf: nextConfig, // otherwise it would be compiled at every start
  port: settings.PORT,
  hostname: settings.HOST,
  httpServer: createServer(),
});
await Promise.all([app.prepare(), readingEngine(), fillDatabase()]); // PostgreSQL starts while the framework loads
const maintenance = await watchMaintenance((up) => log().warn(up ? "maintenance mode on" : "maintenance mode off"));
const listener = await startListener({
  door: { serves, takesFile, handle },
  handle: withCompressedAssets(root, app.getRequestHandler()),
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
  process.stderr.write(`Port ${settings.PORT} is already in use. Set PORT to another port.\n`);
  process.exit(1);
});
workers = startWorkerProcesses(settings.WORKERS, (code) => log().warn({ code }, "worker ended, restarting"));
shutDownOnSignals(listener, release);
running();
say(`Parquetry is listening on ${listener.url}`);

async function fillDatabase(): Promise<void> {
  await database();
  await fillSearchTexts();
  const onError = (err: unknown) => log().error({ err }, "showcase");
  const build = (version: ReplayedVersion) => replayVersion(version, { now: () => new Date(), onError });
  await fillFirstTime({ build, progress: (done, total, text) => say(`[${done}/${total}] ${text}`), say });
}

async function release(): Promise<void> {
  await workers?.stop();
  await app.close();
  await finishBackground().catch((error) => log().error({ err: error }, "unwritten usage counts were lost"));
  await closeReadingEngine();
  closeRedis();
  await closeDatabase();
}
