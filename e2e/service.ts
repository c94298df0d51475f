import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const dataDir = () => process.env.PARQUETRY_E2E_DIR ?? "";

/** Starts the service on the data folder of this test run, with further settings. */
export function startService(settings: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, ["--import", "tsx", "lib/server/main.ts"], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, NODE_ENV: "production", UV_THREADPOOL_SIZE: "64", PARQUETRY_DATA_DIR: dataDir(), PARQUETRY_LOG_LEVEL: "warn", ...settings },
  });
}

/** Runs a command of the command line on the same data folder; returns what it printed. */
export function parquetry(...args: readonly string[]): string {
  return execFileSync(process.execPath, ["--import", "tsx", "lib/cli/main.ts", ...args], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, PARQUETRY_DATA_DIR: dataDir() },
  });
}

let made: { id: string; key: string } | undefined;

/** A use key, made once a worker. */
export function readerKey(): string {
  made ??= newUseKey("reader");
  return made.key;
}

/** A further use key. */
export function newUseKey(name: string, ...options: readonly string[]): { id: string; key: string } {
  return JSON.parse(parquetry("key", "create", "--email", "reader@example.com", "--name", name, ...options, "--json")) as { id: string; key: string };
}
