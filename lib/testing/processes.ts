import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

/** Runs a script in several concurrent processes with only these variables; returns their exit codes. */
export function runInProcesses(
  count: number,
  script: string,
  variables: Readonly<Record<string, string>>,
): Promise<number[]> {
  const env = variables as unknown as NodeJS.ProcessEnv;
  const options = { cwd: resolve(import.meta.dirname, "../.."), env, stdio: "inherit" } as const;
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], options),
  );
  return Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
}
