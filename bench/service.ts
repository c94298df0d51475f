import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { processorMs } from "./processor";

const ROOT = resolve(import.meta.dirname, "..");
const START_MS = 900_000;

/** The real service in its own process, on the benchmark's data folder, with rate limits raised out of reach. */
export interface Service {
  url: string;
  /** A use key, created on the command line. */
  key: string;
  /** Another use key, of another account. */
  makeKey(email: string): string;
  /** Resident memory of the process, in MiB. */
  memoryMb(): number;
  /** Processor time of the process so far, without its database's. */
  processorMs(): number;
  stop(): Promise<void>;
}

export async function startService(port: number, own: Readonly<Record<string, string>> = {}): Promise<Service> {
  const environment = { ...settings(port), ...own };
  const folder = environment.PARQUETRY_DATA_DIR ?? "";
  mkdirSync(folder, { recursive: true });
  const log = openSync(join(folder, "service.log"), "a");
  const command = [...profiling(), "lib/start/server.ts"];
  const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ["ignore", log, log], env: environment });
  closeSync(log);
  const url = `http://127.0.0.1:${port}`;
  await answering(child, `${url}/readyz`).catch(async (error: unknown) => {
    await stop(child);
    throw error;
  });
  return {
    url,
    key: makeKey(environment, "bench@example.com"),
    makeKey: (email) => makeKey(environment, email),
    memoryMb: () => residentMb(child),
    processorMs: () => processorMs(child.pid),
    stop: () => stop(child),
  };
}

function settings(port: number): NodeJS.ProcessEnv {
  const limits = [
    "KEY_MINUTE",
    "KEY_DAY",
    "ADDRESS_MINUTE",
    "ADDRESS_DAY",
    "DOWNLOAD_MINUTE",
    "DOWNLOAD_DAY",
    "CATALOGUE_MINUTE",
    "PAGE_MINUTE",
  ];
  const roomy = Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, "100000000"]));
  return {
    ...process.env,
    ...roomy,
    NODE_ENV: "production",
    UV_THREADPOOL_SIZE: "64",
    PORT: String(port),
    PARQUETRY_SHOWCASE: "false",
    PARQUETRY_LOG_LEVEL: "warn",
    SHUTDOWN_DELAY_SECONDS: "0",
  };
}

/** `BENCH_CPU_PROF=<folder>` writes a CPU profile of the service when it stops. */
function profiling(): string[] {
  const folder = process.env.BENCH_CPU_PROF;
  return folder ? ["--cpu-prof", `--cpu-prof-dir=${folder}`] : [];
}

async function answering(child: ChildProcess, url: string): Promise<void> {
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    if (child.exitCode !== null)
      throw new Error("The service ended before it was ready. See service.log in the data folder");
    const isUp = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isUp) return;
    await sleep(100);
  }
  throw new Error("The service does not respond");
}

function makeKey(env: NodeJS.ProcessEnv, email: string): string {
  const args = ["lib/start/command-line.ts", "key", "create", "--email", email, "--json"];
  const made = JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8", env })) as {
    key: string;
  };
  return made.key;
}

function residentMb(child: ChildProcess): number {
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
