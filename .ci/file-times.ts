// A Vitest reporter: writes counts, failures, and each file's time, imports and hooks included, to the file
// UNIT_REPORT.
import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { failure, type Report } from "./reports";

export default class FileTimes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env.UNIT_REPORT;
    if (path) writeFileSync(path, JSON.stringify(reportOf(modules)));
  }
}

function reportOf(modules: readonly TestModule[]): Report {
  const count = (state: "passed" | "failed" | "skipped") =>
    modules.reduce((sum, { children }) => sum + [...children.allTests(state)].length, 0);
  return {
    passed: count("passed"),
    failed: count("failed") + brokenFiles(modules),
    skipped: count("skipped"),
    failures: modules.flatMap(failuresOf),
    files: modules.map((module) => ({ file: relative(process.cwd(), module.moduleId), seconds: secondsOf(module) })),
  };
}

/** Files that failed outside their tests, as in a hook. None of their tests counts as failed. */
const brokenFiles = (modules: readonly TestModule[]): number =>
  modules.filter((module) => !module.ok() && [...module.children.allTests("failed")].length === 0).length;

function failuresOf(module: TestModule): string[] {
  const file = relative(process.cwd(), module.moduleId);
  return [
    ...module.errors().map(({ message }) => failure(file, "outside of its tests", message)),
    ...[...module.children.allTests("failed")].map((test) =>
      failure(file, test.fullName, test.result().errors?.[0]?.message),
    ),
  ];
}

function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1000;
}
