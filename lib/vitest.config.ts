import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

const root = resolve(import.meta.dirname, "..");

export default defineConfig({
  root,
  resolve: { alias: { "@": root, "server-only": resolve(root, "lib/testing/server-only.ts") } },
  test: {
    include: ["lib/**/*.test.ts", "app/**/*.test.ts", "components/**/*.test.ts", ".ci/*.test.ts"],
    reporters: ["default", resolve(root, ".ci/file-times.ts")],
    globalSetup: ["lib/testing/global-setup.ts"],
    testTimeout: 240_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    maxWorkers: 2,
  },
});
