import { createServer } from "node:http";
import { resolve } from "node:path";
import next from "next";
import { pino } from "pino";
import { env } from "@/lib/env";
import { startListener } from "./listener";
import { shutDownOnSignals } from "./shutdown";

const settings = env();
const logger = pino({ level: settings.PARQUETRY_LOG_LEVEL });
// Next adds an upgrade handler to the server that it is given: one that never listens, so that ours answers all.
const app = next({ dev: false, dir: resolve(import.meta.dirname, "../.."), port: settings.PORT, hostname: settings.HOST, httpServer: createServer() });
await app.prepare();
const listener = await startListener({ handle: app.getRequestHandler(), port: settings.PORT, host: settings.HOST, settings, logger });
shutDownOnSignals(listener, () => app.close());
process.stdout.write(`Parquetry serves on ${listener.url}\n`);
