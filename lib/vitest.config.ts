import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { defineConfig } from "vitest/config";

const root = resolve(import.meta.dirname, "..");

/** What changes or measures its whole process, or starts processes that it kills. */
const OF_PROCESS =
  /testing\/(?:made-up|processor)|process\.(?:cpuUsage|memoryUsage|exit|on)\b|vi\.mock\(|useKillableState|CuttingProxy|RedisServer|sandboxProgram/;

/** Files that have a process each; the others share theirs, each with a fresh process-wide state. */
const isAlone = (path: string): boolean => OF_PROCESS.test(readFileSync(join(root, path), "utf8"));
const files = globSync("{lib,app,components,.ci}/**/*.test.ts", { cwd: root });

export default defineConfig({
  root,
  resolve: { alias: { "@": root, "server-only": resolve(root, "lib/testing/server-only.ts") } },
  test: {
    reporters: ["default", resolve(root, ".ci/file-times.ts")],
    globalSetup: ["lib/testing/global-setup.ts"],
    testTimeout: 240_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    maxWorkers: 3,
    // the bytecode of packages, which each process would compile again (lib/start/become.ts)
    env: { NODE_COMPILE_CACHE: join(root, ".build", "cache") },
    projects: [
      { extends: true, test: { name: "alone", include: files.filter(isAlone) } },
      {
        extends: true,
        test: {
          name: "together",
          include: files.filter((path) => !isAlone(path)),
          isolate: false,
          setupFiles: ["lib/testing/fresh-process.ts"],
          unstubEnvs: true,
        },
      },
    ],
  },
});
