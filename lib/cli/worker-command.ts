import type { Command } from "commander";
import { log } from "@/lib/http/log";
import { STOP_SIGNALS } from "@/lib/kernel/stop-signals";
import { startTelemetry } from "@/lib/telemetry/start";
import { stageWith } from "@/lib/worker/runs/run-stage";
import { startWorker } from "@/lib/worker/worker";

/** `worker`. */
export function addWorkerCommand(program: Command): void {
  program
    .command("worker")
    .description("Works on runs until it is stopped, in addition to the workers that the service starts.")
    .action(work);
}

async function work(): Promise<void> {
  const stopTelemetry = await startTelemetry("worker");
  const worker = await startWorker({ stage: stageWith(), onError: (err) => log().error({ err }, "worker") });
  process.stdout.write(`Working as ${worker.name}. Stop with Ctrl+C.\n`);
  await new Promise<void>((resolve) => {
    for (const signal of STOP_SIGNALS) process.once(signal, () => resolve());
  });
  await worker.stop();
  await stopTelemetry();
}
