import { expect, test } from "vitest";
import type { RunCheck } from "@/lib/schemas/run";
import type { Change } from "@/lib/schemas/table";
import type { CheckedRelease } from "@/lib/store/releases/diagnosis";
import { checkTrends, schemaDrift, worseningChecks } from "./release-trends";

const check = (failures: number, more: Partial<RunCheck> = {}): RunCheck => ({
  ...{ check: "range", table: "rows", title: null, severity: "warn", outcome: failures > 0 ? "failed" : "passed" },
  ...{ failures, examined: 1000, message: "" },
  ...more,
});

const release = (day: number, checks: RunCheck[], change: Change = "appended"): CheckedRelease => ({
  ...{ versionId: `v${day}`, sealedAt: new Date(Date.UTC(2026, 0, day)), change, checks },
});

const releases = (...failures: number[]) => failures.map((count, at) => release(at + 1, [check(count)]));
const told = (...failures: number[]) => worseningChecks(checkTrends(releases(...failures)));

test("a check that twice as many rows fail as usual is reported before it ends a run", () => {
  expect(told(2, 3, 2, 9)).toMatchObject([
    {
      severity: "notice",
      code: "check_worsens",
      message: "range fails for 0.9 % of the newest release, usually for 0.2 %.",
      evidence: { check: "range", releases: [{ failures: 2 }, { failures: 3 }, { failures: 2 }, { failures: 9 }] },
    },
  ]);
  expect(told(0, 0, 0, 1)).toHaveLength(1);
});

test("a share that is usual, better, or based on too few releases is not reported", () => {
  for (const failures of [[3, 3, 3, 3], [9, 9, 9, 0], [0, 0, 0, 0], [1, 1, 9], [1, 9, 9, 9], []])
    expect([failures, told(...failures)]).toEqual([failures, []]);
});

test("checks are followed by name, title and table, except where they did not apply", () => {
  const other = check(7, { title: "Levels" });
  const absent = check(0, { outcome: "not_applicable" });
  const trends = checkTrends([release(1, [other]), release(2, [absent]), release(3, [check(1), other])]);
  expect(trends.map(({ title, releases: all }) => [title, all.map(({ version_id }) => version_id)])).toEqual([
    [null, ["v3"]],
    ["Levels", ["v1", "v3"]],
  ]);
});

test("changed columns are a problem if runs fail because of them, and a notice if they were released", () => {
  const failures = [
    { runId: "r2", at: new Date(0), code: "schema_violation", message: "Column level is gone." },
    { runId: "r1", at: new Date(0), code: "check_failed", message: "" },
  ];
  const since = new Date(Date.UTC(2026, 0, 2));
  const changed = [release(1, [], "breaking"), release(3, [], "columns_added"), release(4, [])];
  expect(schemaDrift({ releases: changed, failures, since, dataset: "d" })).toMatchObject([
    {
      severity: "problem",
      code: "schema_drift",
      message: "The source's columns differ from those approved: Column level is gone.",
      evidence: { runs: [{ run_id: "r2" }] },
    },
    {
      severity: "notice",
      code: "columns_changed",
      evidence: { releases: [{ version_id: "v3", change: "columns_added" }] },
    },
  ]);
  expect(schemaDrift({ releases: [], failures: [], since, dataset: "d" })).toEqual([]);
});
