import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { vi } from "vitest";
import { runProgram } from "@/lib/cli/program";
import { env, readSettings, type Settings } from "@/lib/kernel/env";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { closeDatabase } from "@/lib/store/postgres/database";

/** Settings of a test's command in addition to its data folder and database. */
type Variables = Readonly<Record<string, string>>;

/**
 * Runs a CLI command, or a shell line, in a separate process; rejects with `code`, `stdout` and `stderr` if it fails.
 */
export function runCommand(
  args: readonly string[],
  variables: Variables,
  by: "parquetry" | "shell" = "parquetry",
): Promise<{ stdout: string; stderr: string }> {
  const own = { NODE_ENV: "test" as const, PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...variables };
  const [program, first] = by === "shell" ? ["/bin/sh", ["-c"]] : [process.execPath, ["lib/start/command-line.ts"]];
  return promisify(execFile)(program, [...first, ...args], { env: own, maxBuffer: 1 << 26 });
}

/** Runs a command in this process, with the test's own settings: a second faster. One at a time. */
export async function callCommand(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const before = process.exitCode;
  const written = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  process.exitCode = 0;
  try {
    await runProgram(args);
    return { code: Number(process.exitCode), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = before;
  }
}

/** The same with other settings while it runs: a command on another data folder and database. */
export async function callCommandAt(
  variables: Variables,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const own = env();
  await settle(readSettings(variables));
  try {
    return await callCommand(...args);
  } finally {
    await settle(own);
  }
}

async function settle(settings: Settings): Promise<void> {
  await closeDatabase();
  for (const name of ["settings", "derived-key:fingerprint"]) forgetProcessWide(name);
  processWide("settings", () => settings);
}
