import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Settings that a command of a test gets besides its data folder and database. */
type Variables = Readonly<Record<string, string>>;

/** Runs a command of the command line, or a line of the shell, in a process of its own; rejects with `code`, `stdout` and `stderr` when it fails. */
export function runCommand(
  args: readonly string[],
  variables: Variables,
  by: "parquetry" | "shell" = "parquetry",
): Promise<{ stdout: string; stderr: string }> {
  const env = { NODE_ENV: "test" as const, PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...variables };
  const [program, first] = by === "shell" ? ["/bin/sh", ["-c"]] : [process.execPath, ["--import", "tsx", "lib/cli/main.ts"]];
  return promisify(execFile)(program, [...first, ...args], { env, maxBuffer: 1 << 26 });
}
