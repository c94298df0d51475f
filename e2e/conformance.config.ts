import { defineConfig } from "@playwright/test";
import main from "./playwright.config";

const FIXTURE_PORT = Number(process.env.PORT ?? 4173) + 1;
process.env.CONFORMANCE_FIXTURE ??= `http://localhost:${FIXTURE_PORT}`;

/**
 * `npm run conformance`: what the protocol's own suite says of the service and of the fixture on its transport, into
 * docs/conformance.
 */
export default defineConfig({
  ...main,
  timeout: 600_000, // the suite is fetched at first
  reporter: "list",
  projects: [
    { name: "ready", testMatch: "ready.setup.ts" },
    { name: "conformance", testMatch: "conformance.suite.ts", dependencies: ["ready"] },
  ],
  webServer: [
    main.webServer ?? [],
    {
      command: `${process.execPath} --import tsx e2e/fixture-server.ts`,
      cwd: "..",
      port: FIXTURE_PORT,
      reuseExistingServer: true,
      gracefulShutdown: { signal: "SIGTERM" as const, timeout: 5000 },
      env: { PORT: String(FIXTURE_PORT), PARQUETRY_BASE_URL: process.env.CONFORMANCE_FIXTURE },
    },
  ].flat(),
});
