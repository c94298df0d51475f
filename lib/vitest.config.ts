import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./testing/longest-first.ts";

const root = resolve(import.meta.dirname, "..");

/** Tests that change or measure their entire process, or start processes that they kill. */
const OF_PROCESS =
  /(?:testing|\.)\/(?:made-up|processor)|process\.(?:cpuUsage|memoryUsage|exit|on)\b|vi\.mock\(|useKillableState|BalancedService|useCluster|CuttingProxy|RedisServer|ObjectStoreServer|sandboxProgram/;

/** Tests that wait for workers and sandboxes, whose processes yield to all others. */
const OF_WORKERS = /useOffice|useInspector|Builder\(/;
const OF_WORKERS_FOLDERS = /^lib\/(?:sandbox|showcase|worker)\//;

const files = globSync("{lib,app,components,.ci}/**/*.test.ts", { cwd: root });
const kinds = Map.groupBy(files, (path) => {
  const text = readFileSync(join(root, path), "utf8");
  if (OF_PROCESS.test(text)) return "alone";
  return OF_WORKERS.test(text) || OF_WORKERS_FOLDERS.test(path) ? "working" : "together";
});
/**
 * A process that runs many files keeps all their modules. By default, growth, and each few of the readers' and DuckDB's
 * buffers outside the heap, start collections of all of it: a quarter of the processor time.
 */
const RARE_COLLECTIONS = [
  "--min-semi-space-size=64",
  "--max-semi-space-size=64",
  "--initial-old-space-size=512",
  // Node 22 has no such flag, and would not start
  ...(Number.parseInt(process.versions.node, 10) >= 24 ? ["--external-memory-accounted-in-global-limit"] : []),
  "--no-flush-bytecode",
];
/** Each test file gets a fresh process-wide state. */
const SHARING = {
  isolate: false,
  setupFiles: ["lib/testing/fresh-process.ts"],
  unstubEnvs: true,
  execArgv: RARE_COLLECTIONS,
};

export default defineConfig({
  root,
  resolve: { alias: { "@": root, "server-only": resolve(root, "lib/testing/server-only.ts") } },
  test: {
    reporters: ["default", resolve(root, ".ci/file-times.ts")],
    globalSetup: ["lib/testing/global-setup.ts"],
    // Timeouts only stop hung tests. They do not assert speed: a test may have a tenth of a core on a busy machine
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    pool: "forks",
    maxWorkers: 3,
    // the bytecode of packages, which each process would compile again (lib/start/become.ts)
    env: { NODE_COMPILE_CACHE: join(root, ".build", "cache") },
    projects: [
      { extends: true, test: { name: "alone", include: kinds.get("alone") ?? [] } }, // a process each
      { extends: true, test: { name: "working", include: kinds.get("working") ?? [], ...SHARING } },
      { extends: true, test: { name: "together", include: kinds.get("together") ?? [], ...SHARING } },
    ],
  },
});
