import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { runSchedules } from "@/lib/operations/refresh/run-schedules";
import { callCommand } from "@/lib/testing/command";
import { useOffice } from "@/lib/testing/office";
import { keepCredential } from "./credential-file";

const rig = await useOffice();
const folder = mkdtempSync(join(tmpdir(), "parquetry-schedule-commands-"));
beforeEach(() => void vi.stubEnv("XDG_CONFIG_HOME", folder));
beforeAll(() => {
  vi.stubEnv("XDG_CONFIG_HOME", folder);
  keepCredential(rig.builder.service, rig.builder.access, new Date("2999-01-01T00:00:00Z"));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** The output of `schedule …`, which must succeed. */
async function schedule(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await callCommand("schedule", ...args);
  expect([args[0], code, code === 0 ? "" : stderr]).toEqual([args[0], 0, ""]);
  return stdout;
}

const json = async (...args: string[]) => JSON.parse(await schedule(...args, "--json"));

test("a schedule is shown, changed, paused, resumed and run at once from a terminal", async () => {
  const slug = await rig.register("By schedule", rig.recipe());
  expect(await schedule("show", slug)).toContain("has no schedule");
  expect(await json("set", slug, "--every", "P1D", "--days", "mon", "fri")).toMatchObject({ revision: { number: 2 } });
  await json("set", slug, "--expected-by", "09:00", "--time-zone", "Europe/Lisbon", "--note", "a promise");
  const { recipe } = await rig.call("get_my_dataset", { dataset: slug, recipe: true });
  const refresh = { every: "P1D", days: ["mon", "fri"], expected_by: "09:00", time_zone: "Europe/Lisbon" };
  expect(recipe.refresh).toMatchObject(refresh);

  const { run_id, result } = await rig.sample(slug);
  await rig.call("approve_full_run", { run_id, recipe_digest: result.recipe_digest });
  await rig.rest(run_id);
  await runSchedules(new Date());
  expect(await json("show", slug)).toMatchObject({ every: "P1D", time_zone: "Europe/Lisbon", paused: null });
  await schedule("pause", slug);
  expect(await json("show", slug)).toMatchObject({ next_at: null, paused: { by: "agent" } });
  await schedule("resume", slug);
  expect(await schedule("show", slug)).toMatch(/next_at\s+20/);
  const run = await json("run", slug);
  expect([run.kind, (await rig.rest(run.run_id)).state]).toEqual(["refresh", "sealed"]);
  await json("set", slug, "--none");
  expect((await rig.call("get_my_dataset", { dataset: slug, recipe: true })).recipe.refresh).toBeUndefined();

  const patch = [{ op: "add", path: "/tables/0/steps/-", value: { step: "limit", rows: 1 } }];
  await rig.call("propose_revision", { dataset: slug, base: 4, note: "fewer rows", patch });
  const said = await schedule("run", slug);
  expect(said).toMatch(/revision 5: planned\nRevision 5 is not approved, so its sample comes first\. parquetry build/);
  const [, again = ""] = /parquetry (build start \S+ --revision 4) runs the approved one in full/.exec(said) ?? [];
  const { stdout } = await callCommand(...again.split(" "), "--json");
  expect(JSON.parse(stdout)).toMatchObject({ kind: "refresh", revision: 4 });
  expect(JSON.parse(stdout)).not.toHaveProperty("note");
});

test("no options, and --none with other options, are rejected", async () => {
  const slug = await rig.register("Unchanged", rig.recipe());
  for (const options of [[], ["--none", "--every", "P1D"]])
    expect(await callCommand("schedule", "set", slug, ...options)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--none"),
    });
  expect(await callCommand("schedule", "set", slug, "--every", "tomorrow")).toMatchObject({ code: 1 });
});
