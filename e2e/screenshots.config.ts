import { defineConfig } from "@playwright/test";
import main from "./playwright.config";

/**
 * `npm run screenshots`: the pictures in docs/screenshots, taken from a production build with the showcase catalogue.
 */
export default defineConfig({
  ...main,
  timeout: 60_000,
  reporter: "list",
  projects: [
    { name: "ready", testMatch: "ready.setup.ts" },
    { name: "screenshots", testMatch: "screenshots.shots.ts", dependencies: ["ready"] },
  ],
});
