import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const BACKOFF_MS = { first: 1_000, most: 60_000 };
const HEALTHY_MS = 60_000;
const KILL_MS = 15_000;

/** Starts worker processes and keeps them running. Starts none if the program is not compiled. */
export function startWorkerProcesses(count: number, onExit: (code: number | null) => void): { stop(): Promise<void> } {
  const path = join(import.meta.dirname, "worker.js");
  if (count === 0 || !existsSync(path)) return { stop: async () => undefined };
  const stops = Array.from({ length: count }, () => supervise(path, onExit));
  return { stop: async () => void (await Promise.all(stops.map((stop) => stop()))) };
}

function supervise(path: string, onExit: (code: number | null) => void): () => Promise<void> {
  let isStopped = false;
  let backoffMs = BACKOFF_MS.first;
  let timer: NodeJS.Timeout | undefined;
  let child = start();
  function start() {
    const startedAt = performance.now();
    const spawned = fork(path, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    spawned.once("exit", (code) => {
      if (isStopped) return;
      onExit(code);
      const wasHealthy = performance.now() - startedAt > HEALTHY_MS;
      backoffMs = wasHealthy ? BACKOFF_MS.first : Math.min(BACKOFF_MS.most, backoffMs * 2);
      timer = setTimeout(() => {
        child = start();
      }, backoffMs);
    });
    return spawned;
  }
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    const kill = setTimeout(() => child.kill("SIGKILL"), KILL_MS);
    await ended;
    clearTimeout(kill);
  };
}
