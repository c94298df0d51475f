import { defineConfig } from "@playwright/test";
import main from "./playwright.config";

const FIXTURE_PORT = Number(process.env.PORT ?? 4173) + 1;
process.env.CONFORMANCE_FIXTURE ??= `http://localhost:${FIXTURE_PORT}`;

/**
 * `npm run conformance`: runs the protocol's own suite against the service and against the fixture on its transport.
 * Writes the results into docs/conformance.
 */
export default defineConfig({
  ...main,
  timeout: 600_000, // the suite is fetched first
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
