import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";

const PORT = Number(process.env.PORT ?? 4173);

// Workers inherit the variable, so that all share the one data folder that the server fills.
process.env.PARQUETRY_E2E_DIR ??= freshFolder();

export default defineConfig({
  testDir: ".",
  timeout: 120_000,
  workers: 1,
  forbidOnly: true,
  snapshotPathTemplate: "{testDir}/snapshots/{arg}{ext}",
  reporter: [
    ["list"],
    ["json", process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE } : {}],
  ],
  use: {
    baseURL: `http://localhost:${PORT}`,
    launchOptions: {
      executablePath: "/usr/bin/chromium",
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
    { name: "specs", testMatch: "*.spec.ts", dependencies: ["ready"] },
    { name: "secrets", testMatch: "secrets.teardown.ts" }, // after all others, whether they passed or not
  ],
  webServer: {
    command: `${process.execPath} --import tsx e2e/serve.ts`,
    cwd: "..",
    url: `http://localhost:${PORT}/readyz`,
    timeout: 400_000,
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
