import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll } from "vitest";

const SCRIPT = `
  import { startInstance } from "@/lib/testing/instance";
  console.log((await startInstance()).url);`;

/**
 * Starts another instance of the service for the test file, as a separate process with these settings. Call at its top,
 * after whatever the settings depend on.
 */
export function useSecondInstance(settings: () => Readonly<Record<string, string>>): { origin(): string } {
  let child: ChildProcess | undefined;
  let origin = "";
  beforeAll(async () => {
    child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", SCRIPT], {
      cwd: resolve(import.meta.dirname, "../.."),
      env: { NODE_ENV: "test", ...settings() },
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (!child.stdout) throw new Error("the instance has no output");
    [origin] = await once(createInterface(child.stdout), "line");
  });
  afterAll(async () => {
    if (!child || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  });
  return { origin: () => origin };
}
