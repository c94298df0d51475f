import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Settings that a command of a test gets besides its data folder and database. */
type Variables = Readonly<Record<string, string>>;

/** Runs a command of the command line in a process of its own; rejects with `code`, `stdout` and `stderr` when it fails. */
export function runCommand(args: readonly string[], variables: Variables): Promise<{ stdout: string; stderr: string }> {
  const env = { NODE_ENV: "test" as const, PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...variables };
  return promisify(execFile)(process.execPath, ["--import", "tsx", "lib/cli/main.ts", ...args], { env, maxBuffer: 1 << 26 });
}
