import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { ask, superuserUrl } from "@/lib/testing/superuser";
import "./recorded-fetch";
import { noteFound, noteSettings, runFolder, used } from "./used-secrets";

const root = resolve(import.meta.dirname, "..");
const dataDir = () => process.env.PARQUETRY_E2E_DIR ?? "";

let started = 0;

/** A busy machine responds late, and no test here asserts a duration. */
const PATIENT = {
  DATABASE_TIMEOUT_MS: "60000",
  QUERY_QUEUE_MS: "120000",
  QUERY_TIMEOUT_MS: "120000",
  REDIS_TIMEOUT_MS: "30000",
  STORAGE_SECONDS: "120",
  SHUTDOWN_DELAY_SECONDS: "0", // no load balancer
};

/**
 * Starts the service on this test run's data folder, with additional settings. Its entire output is kept for
 * secrets.teardown.ts.
 */
export function startService(settings: Readonly<Record<string, string>>): ChildProcess {
  noteSettings(settings);
  const path = join(runFolder("logs"), `${settings.PORT}-${process.pid}-${started++}.log`);
  const output = openSync(path, "a");
  const child = spawn(process.execPath, ["lib/start/server.ts"], {
    cwd: root,
    stdio: ["ignore", output, output],
    env: {
      ...process.env,
      NODE_ENV: "production",
      UV_THREADPOOL_SIZE: "64",
      PARQUETRY_DATA_DIR: dataDir(),
      PARQUETRY_LOG_LEVEL: "trace",
      ...PATIENT,
      ...settings,
    },
  });
  return child.once("exit", (code) => {
    if (code) process.stderr.write(`The service ended with ${code}:\n${readFileSync(path, "utf8").slice(-4000)}\n`);
  });
}

/** Runs a command of the command line on the same data folder and returns its output. */
export function parquetry(...args: readonly string[]): string {
  const printed = execFileSync(process.execPath, ["lib/start/command-line.ts", ...args], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, ...PATIENT, PARQUETRY_DATA_DIR: dataDir() },
  });
  noteFound(printed, `what parquetry ${args[0]} printed`);
  return printed;
}

/** The same on any data folder, without blocking the rest of the test. */
export async function parquetryOn(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["lib/start/command-line.ts", ...args], {
    cwd: root,
    env: { ...process.env, ...PATIENT, PARQUETRY_DATA_DIR: folder },
  });
  noteFound(stdout, `what parquetry ${args[0]} printed`);
  return stdout;
}

/**
 * The same on the run's data folder. Used for several commands in a row: while a process blocks on a command, it serves
 * none of its connections, and on a busy machine the service closes them.
 */
export const parquetryBeside = (...args: readonly string[]): Promise<string> => parquetryOn(dataDir(), ...args);

/** Rows of the database of the same data folder. */
export const rowsOf = (sql: string, values: readonly string[] = []): Promise<Record<string, unknown>[]> =>
  ask(superuserUrl(join(dataDir(), "postgres"), "parquetry"), sql, values);

/** A use key, created once per run: ready.setup.ts requests it before any spec does. */
export function readerKey(): string {
  const file = join(runFolder(), "reader-key");
  if (!existsSync(file)) writeFileSync(file, newReaderKey());
  return used(readFileSync(file, "utf8"), "the readers' use key");
}

function newReaderKey(): string {
  const printed = parquetry("key", "create", "--email", "reader@example.com", "--name", "reader", "--json");
  return (JSON.parse(printed) as { key: string }).key;
}

/** Puts a workspace on the paid plan, as `parquetry workspace plan` does (tested in access.spec.ts). */
export const payFor = async (workspaceId: string): Promise<void> =>
  void (await rowsOf(`UPDATE "Workspace" SET plan = 'paid' WHERE id = $1::uuid`, [workspaceId]));
