import { log } from "@/lib/http/log";
import { outliveOutput } from "@/lib/http/log-output";
import { env } from "@/lib/kernel/env";
import { STOP_SIGNALS } from "@/lib/kernel/stop-signals";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { finishBackground } from "@/lib/store/background";
import { closeDatabase, database } from "@/lib/store/postgres/database";
import { startTelemetry } from "@/lib/telemetry/start";
import { stageWith } from "./runs/run-stage";
import { startWorker } from "./worker";

// A separate process, started by the server or by `parquetry worker`.
outliveOutput();
// the port for metrics is that of the server that started this process
const stopTelemetry = await startTelemetry("worker", process.connected ? { ...env(), METRICS_PORT: undefined } : env());
await database();
const worker = await startWorker({ stage: stageWith(), onError: (err) => log().error({ err }, "worker") });
log().info({ worker: worker.name }, "worker started");
let isStopping = false;
const stop = async () => {
  if (isStopping) return; // the terminal and the server both signal; the server ends a hung process
  isStopping = true;
  await worker.stop();
  await closeReadingEngine();
  await finishBackground().catch(() => undefined);
  await stopTelemetry(); // its last reading asks the database
  await closeDatabase();
  process.exit(0);
};
for (const signal of STOP_SIGNALS) process.on(signal, () => void stop().catch(() => process.exit(1)));
process.once("disconnect", () => void stop().catch(() => process.exit(1))); // the server that started it is gone
if (process.connected === false) await stop(); // the server ended while this process was starting
