// `npm test`: every check in turn, then one line with the counts of the runners. Stops at the first that fails.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const reports = mkdtempSync(join(tmpdir(), "parquetry-reports-"));
const unitReport = join(reports, "unit.json");
const browserReport = join(reports, "browser.json");

const STEPS: readonly (readonly [name: string, command: readonly string[], variables?: Record<string, string>])[] = [
  ["lock file", ["node", ".ci/trim-lock.mjs", "--check"]],
  ["lint", ["npx", "biome", "check", "--error-on-warnings", "."]],
  ["generated client", ["npx", "prisma", "generate", "--config", "prisma/prisma.config.ts"]],
  ["route types", ["npx", "next", "typegen"]],
  ["types", ["npx", "tsc", "--noEmit"]],
  ["dead code", ["npx", "knip", "--config", ".ci/knip.json"]],
  ["migrations", ["npm", "run", "-s", "migration", "--", "--check"]],
  [
    "unit and contract tests",
    [
      "npx",
      "vitest",
      "run",
      "--config",
      "lib/vitest.config.ts",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${unitReport}`,
    ],
    { UV_THREADPOOL_SIZE: "32" },
  ],
  [
    "browser tests",
    ["npx", "playwright", "test", "--config", "e2e/playwright.config.ts"],
    { PLAYWRIGHT_JSON_OUTPUT_FILE: browserReport },
  ],
];

installPackages();
let failedStep: string | undefined;
for (const [name, [command = "", ...args], variables] of STEPS) {
  process.stdout.write(`\n── ${name}\n`);
  const started = Date.now();
  const { status } = spawnSync(command, args, { stdio: "inherit", env: { ...process.env, ...variables } });
  process.stdout.write(
    `── ${name}: ${status === 0 ? "passed" : "FAILED"} in ${Math.round((Date.now() - started) / 1000)} s\n`,
  );
  if (status !== 0) {
    failedStep = name;
    break;
  }
}

const total = [unitCounts(), browserCounts()].reduce((sum, counts) => ({
  passed: sum.passed + counts.passed,
  failed: sum.failed + counts.failed,
  skipped: sum.skipped + counts.skipped,
}));
rmSync(reports, { recursive: true, force: true });
if (failedStep) process.stdout.write(`\nfailed at: ${failedStep}\n`);
process.stdout.write(`tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exit(failedStep || total.passed === 0 || total.failed > 0 ? 1 : 0);

function unitCounts(): Counts {
  if (!existsSync(unitReport)) return { passed: 0, failed: 0, skipped: 0 };
  const report = JSON.parse(readFileSync(unitReport, "utf8")) as {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
    numTodoTests: number;
  };
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function browserCounts(): Counts {
  if (!existsSync(browserReport)) return { passed: 0, failed: 0, skipped: 0 };
  const { stats } = JSON.parse(readFileSync(browserReport, "utf8")) as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  };
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
}

/** Debian's Chromium, since Playwright's own download is not relied on, and its Redis, which several instances share their counters in. */
function installPackages(): void {
  const missing = ["chromium", "redis-server"].filter((name) => !existsSync(`/usr/bin/${name}`));
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0)
    throw new Error(`The tests need ${missing.join(" and ")}: apt-get install ${missing.join(" ")}`);
  for (const args of [["update"], ["install", "-y", ...missing]]) {
    const { status } = spawnSync("apt-get", args, {
      stdio: "inherit",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
    if (status !== 0) throw new Error(`apt-get ${args.join(" ")} failed`);
  }
}
