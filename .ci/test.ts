// `npm test`: runs every check, whatever the outcome of the others, then reports what was slow, what failed, and
// counts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPackages, installServers } from "./packages";
import { browserReport, readReport, slowest, totalOf, unitReport } from "./reports";
import { runSteps, type Step } from "./run-steps";

const folder = mkdtempSync(join(tmpdir(), "parquetry-reports-"));
const sharedFile = join(folder, "shared.json");
const aloneFile = join(folder, "alone.json");
const browserFile = join(folder, "browser.json");
const write = (text: string) => void process.stdout.write(text);

const CLIENT = "generated client";
const ROUTES = "route types";
const TYPES = "types";
const BROWSER = "browser tests";
const SHARED = "unit tests that share processes";
const CHECKS: readonly Step[] = [
  { name: "lock file", command: [process.execPath, ".ci/trim-lock.mjs", "--check"], spare: true },
  { name: "lint", command: ["npx", "biome", "check", "--error-on-warnings", "."], spare: true },
  { name: CLIENT, command: ["npx", "prisma", "generate", "--config", "prisma/prisma.config.ts"] },
  { name: ROUTES, command: ["npx", "next", "typegen"] },
  {
    name: TYPES,
    // halves the processor time: no two checkers for the same types, nothing written for a later run, and less frequent
    // garbage collection
    command: ["npx", "tsc", "--noEmit", "--checkers", "1", "--incremental", "false"],
    variables: { GOGC: "400" },
    needs: [CLIENT, ROUTES],
  },
  { name: "dead code", command: ["npx", "knip", "--config", ".ci/knip.json"], needs: [CLIENT], spare: true },
  { name: "migrations", command: ["npm", "run", "-s", "migration", "--", "--check"], spare: true },
];

// The browser tests leave two cores idle for a third of their time. The other tests that are not affected by neighbours
// run then, at a lower priority. Tests that measure processes or wait for workers run last, on their own.
const STEPS: readonly Step[] = [
  ...CHECKS,
  {
    name: BROWSER,
    command: ["npx", "playwright", "test", "--config", "e2e/playwright.config.ts"],
    variables: { PLAYWRIGHT_JSON_OUTPUT_FILE: browserFile },
    needs: [CLIENT],
    after: [TYPES], // the build of the pages rewrites the route types
    live: true,
  },
  { ...unit(SHARED, ["together"], sharedFile), after: CHECKS.map(({ name }) => name), spare: true },
  {
    // many of them wait for processes, so three workers would leave a seventh of the processor time idle
    ...unit("unit and contract tests", ["alone", "working"], aloneFile, ["--maxWorkers", "4"]),
    after: [BROWSER, SHARED],
    live: true,
  },
];

function unit(name: string, projects: readonly string[], report: string, options: readonly string[] = []): Step {
  return {
    name,
    command: [
      "npx",
      "vitest",
      "run",
      "--config",
      "lib/vitest.config.ts",
      ...projects.flatMap((each) => ["--project", each]),
      ...options,
    ],
    variables: { UNIT_REPORT: report, UV_THREADPOOL_SIZE: "32" },
    needs: [CLIENT],
  };
}

installPackages();
if (process.env.PARQUETRY_TEST_ALL) installServers();
const results = await runSteps(STEPS, write);
const reports = [
  ...[sharedFile, aloneFile].map((file) => unitReport(readReport(file))),
  browserReport(readReport(browserFile)),
];
rmSync(folder, { recursive: true, force: true });

write("\nslowest files\n");
for (const { file, seconds } of slowest(
  reports.flatMap(({ files }) => files),
  25,
))
  write(`${seconds.toFixed(1).padStart(8)} s  ${file}\n`);
const failures = reports.flatMap((report) => report.failures);
if (failures.length > 0) write(`\nfailed tests\n${failures.map((text) => `  ${text}\n`).join("")}`);
write("\nsteps\n");
for (const { name, outcome, seconds } of results)
  write(`${String(seconds).padStart(8)} s  ${name}${outcome === "passed" ? "" : `: ${outcome}`}\n`);

const { passed, failed, skipped } = totalOf(reports);
write(`tests: ${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exit(passed > 0 && failed === 0 && results.every(({ outcome }) => outcome === "passed") ? 0 : 1);
