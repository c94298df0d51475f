import { expect, test } from "vitest";
import { queryRun } from "@/lib/operations/runs/query-run";
import { database } from "@/lib/store/postgres/database";
import { type LevelsRecipe, useOffice } from "@/lib/testing/office";
import { call as callOverHttp, sessionCookie } from "@/lib/testing/signed-in";

const rig = await useOffice();
const { office, call, recipe, register, sample, rest } = rig;

const tolerant = (recipe: LevelsRecipe) => {
  const [table] = recipe.tables;
  Object.assign(table?.steps[0] ?? {}, { on_error: "null" });
  Object.assign(table ?? {}, { tolerance: { cells: 100 }, checks: [], only: true });
};

test("rejects are a table of query_run; increases and new columns are reported unasked", async () => {
  office.file = "gauge;level\nA;1\nB;k.A.\n";
  const dataset = await register("Rejects", recipe(tolerant));
  const { run_id, result } = await sample(dataset);
  const columns = ["table", "step", "column", "source", "row", "value", "reason"];
  const asked = { run_id, table: "rejects", columns };
  expect(await call("query_run", asked)).toMatchObject({
    kind: "rejects",
    rows: [["levels", 0, "level", "office", 3, "k.A.", expect.any(String)]],
  });
  const path = { workspace_id: rig.builder.workspaceId, run_id, table: "rejects" };
  const headers = { cookie: await sessionCookie(rig.builder.userId) };
  const reply = await callOverHttp(queryRun, path, headers, { columns: ["row", "value"] });
  expect([reply.status, reply.body.rows]).toEqual([200, [{ row: 3, value: "k.A." }]]);
  await call("approve_full_run", { run_id, recipe_digest: result.recipe_digest });
  expect(await rest(run_id)).toMatchObject({ state: "sealed" });
  office.file = `gauge;level;sex\n${Array.from({ length: 20 }, (_, at) => `G${at};x;f\n`).join("")}`;
  const again = await rest((await call("start_run", { dataset })).run_id);
  expect(again.state).toBe("sealed");
  expect(again.result.checks.filter(({ outcome }: { outcome: string }) => outcome === "failed")).toMatchObject([
    { check: "new_columns", severity: "warn", message: 'office has 1 new column that no table uses: "sex".' },
    {
      check: "rejects_rose",
      severity: "warn",
      message: "20 cells were rejected, compared with 1 in the last release.",
    },
  ]);
});

test("a failed check shows at most three rows, long values truncated; passed ones and releases show none", async () => {
  const long = "L".repeat(300);
  office.file = `gauge;level\n${[long, "b", "c", "d", "E"].map((gauge, at) => `${gauge};${at}\n`).join("")}`;
  const checks = [
    { check: "range", column: "level", min: 0 },
    { check: "pattern", column: "gauge", pattern: "^[A-Z]$", severity: "warn" },
  ];
  const warned = recipe(({ tables: [table] }) => void Object.assign(table ?? {}, { checks }));
  const dataset = await register("Warned", warned);
  const { run_id, result } = await sample(dataset);
  const expected = [{ gauge: `${"L".repeat(100)}…` }, { gauge: "b" }, { gauge: "c" }];
  const shown = (checks: { check: string; examples?: object[] }[]) =>
    checks.flatMap(({ check, examples }) => (examples ? [[check, examples]] : []));
  expect(shown(result.checks)).toEqual([["pattern", expected]]);
  await call("approve_full_run", { run_id, recipe_digest: result.recipe_digest });
  expect(shown((await rest(run_id)).result.checks)).toEqual([["pattern", expected]]);
  const { prisma } = await database();
  const release = await prisma.release.findFirstOrThrow({ where: { runId: run_id } });
  expect(release.checks).toContainEqual(expect.objectContaining({ check: "pattern", failures: 4 }));
  expect(JSON.stringify(release.checks)).not.toContain("examples");
});

test("what a failed run would have sealed can be looked at, with its checks and rejects", async () => {
  office.file = "gauge;level\nA;1\nB;2\n";
  const dataset = await register("Candidates", recipe());
  const { run_id, result } = await sample(dataset);
  await call("approve_full_run", { run_id, recipe_digest: result.recipe_digest });
  await rest(run_id);
  office.file = "gauge;level\nA;1\nB;-2\nB;3\n";
  const failed = await rest((await call("start_run", { dataset })).run_id);
  expect(failed).toMatchObject({
    ...{ state: "failed", failure: { code: "check_failed" } },
    result: { recipe_digest: null },
  });
  const ranged = failed.result.checks.find(({ check }: { check: string }) => check === "range");
  expect(ranged).toMatchObject({ outcome: "failed", examples: [{ gauge: "B", level: "-2" }] });
  const rows = { run_id: failed.run_id, table: "levels" };
  const counted = { ...rows, aggregates: [{ function: "count", as: "n" }] };
  expect(await call("query_run", counted)).toMatchObject({ rows: [[3]] });
  expect(await call("query_run", rows)).toMatchObject({
    kind: "candidate",
    rows: [
      ["A", 1],
      ["B", -2],
      ["B", 3],
    ],
  });
  await expect(call("promote_table", { dataset, run_id: failed.run_id })).rejects.toThrow(/failed, not sealed/);
  office.file = "gauge;level\nA;1\nB;k.A.\n";
  const rejected = await rest((await call("start_run", { dataset })).run_id);
  expect(rejected).toMatchObject({ state: "failed", result: { rejects: [], tables: [] } });
});
