import { defineConfig } from "@playwright/test";

const PORT = 4173;

export default defineConfig({
  testDir: ".",
  timeout: 60_000,
  workers: 1,
  forbidOnly: true,
  reporter: [["list"], ["json", process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE } : {}]],
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
  webServer: {
    command: "node --import tsx e2e/serve.ts",
    cwd: "..",
    url: `http://localhost:${PORT}/readyz`,
    timeout: 300_000,
    stdout: "pipe",
    gracefulShutdown: { signal: "SIGTERM", timeout: 20_000 },
    env: { PORT: String(PORT) },
  },
});
