import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { defineConfig } from "@playwright/test";

const REPORT = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;
const PORT = Number(process.env.PORT ?? 4173);

/**
 * Files that publish, change who may read, damage what is stored, or count everything there is. They run one at a time.
 * The others run at the same time as these and as each other, so they use the showcase and their own people.
 */
const ONE_BY_ONE = [
  "access-table.spec.ts",
  "agent-questions.spec.ts",
  "backup.spec.ts",
  "connector.spec.ts",
  "directory.spec.ts",
  "metadata.spec.ts",
  "read-api.spec.ts",
  "private-pages.spec.ts",
  "rejections.spec.ts",
  "search.spec.ts",
  "usage.spec.ts",
  "versions.spec.ts",
];

// Workers inherit the variable, so all share the one data folder that the server fills.
process.env.PARQUETRY_E2E_DIR ??= freshFolder();
process.env.EMBEDDED_POSTGRES_SYNC ??= "false";
// the bytecode of packages, which each process would compile again (lib/start/become.ts)
process.env.NODE_COMPILE_CACHE ??= resolve(import.meta.dirname, "..", ".build", "cache");

export default defineConfig({
  testDir: ".",
  // Only stops hung tests; no test asserts a duration. A stale expectation fails within seconds.
  timeout: 900_000,
  expect: { timeout: 180_000 },
  workers: 3,
  forbidOnly: true,
  snapshotPathTemplate: "{testDir}/snapshots/{arg}{ext}",
  reporter: REPORT ? [["list"], ["json", { outputFile: REPORT }]] : "list",
  use: {
    baseURL: `http://localhost:${PORT}`,
    actionTimeout: 120_000,
    navigationTimeout: 180_000,
    launchOptions: {
      // uses a third of the processor time of a browser with windows
      executablePath: "/usr/bin/chromium-headless-shell",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    { name: "ready", testMatch: "ready.setup.ts", teardown: "secrets" },
    { name: "one by one", testMatch: ONE_BY_ONE, workers: 1, dependencies: ["ready"] },
    { name: "specs", testMatch: "*.spec.ts", testIgnore: ONE_BY_ONE, dependencies: ["ready"] },
    { name: "secrets", testMatch: "secrets.teardown.ts" }, // after all others, whether or not they passed
  ],
  webServer: {
    command: `${process.execPath} --import tsx e2e/serve.ts`,
    cwd: "..",
    url: `http://localhost:${PORT}/readyz`,
    timeout: 1_800_000,
    reuseExistingServer: !process.env.CI,
    stdout: "pipe",
    gracefulShutdown: { signal: "SIGTERM", timeout: 30_000 },
    env: { PORT: String(PORT), PARQUETRY_BASE_URL: `http://localhost:${PORT}` },
  },
});

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parquetry-e2e-"));
  chmodSync(folder, 0o755);
  return folder;
}
