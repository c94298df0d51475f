// `npm test`: every check, whatever becomes of the others; then what was slow, what failed, and the counts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPackages } from "./packages";
import { browserReport, readReport, slowest, totalOf, unitReport } from "./reports";
import { runSteps, type Step } from "./run-steps";

const folder = mkdtempSync(join(tmpdir(), "parquetry-reports-"));
const unitFile = join(folder, "unit.json");
const browserFile = join(folder, "browser.json");
const write = (text: string) => void process.stdout.write(text);

const CLIENT = "generated client";
const STEPS: readonly Step[] = [
  { name: "lock file", command: [process.execPath, ".ci/trim-lock.mjs", "--check"] },
  { name: "lint", command: ["npx", "biome", "check", "--error-on-warnings", "."] },
  { name: CLIENT, command: ["npx", "prisma", "generate", "--config", "prisma/prisma.config.ts"] },
  { name: "route types", command: ["npx", "next", "typegen"] },
  { name: "types", command: ["npx", "tsc", "--noEmit"], needs: [CLIENT, "route types"] },
  { name: "dead code", command: ["npx", "knip", "--config", ".ci/knip.json"], needs: [CLIENT] },
  { name: "migrations", command: ["npm", "run", "-s", "migration", "--", "--check"] },
  {
    name: "browser tests",
    command: ["npx", "playwright", "test", "--config", "e2e/playwright.config.ts"],
    variables: { PLAYWRIGHT_JSON_OUTPUT_FILE: browserFile },
    needs: [CLIENT],
    waits: true,
  },
  // after the browser tests: beside them, both take longer than a busy machine's limits of time allow
  {
    name: "unit and contract tests",
    command: ["npx", "vitest", "run", "--config", "lib/vitest.config.ts"],
    variables: { UNIT_REPORT: unitFile, UV_THREADPOOL_SIZE: "32" },
    needs: [CLIENT],
    waits: true,
  },
];

installPackages();
const results = await runSteps(STEPS, write);
const reports = [unitReport(readReport(unitFile)), browserReport(readReport(browserFile))];
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
