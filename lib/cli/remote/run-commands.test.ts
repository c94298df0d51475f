import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { callCommand } from "@/lib/testing/command";
import { useOffice } from "@/lib/testing/office";
import { keepCredential } from "./credential-file";

const rig = await useOffice();
const folder = mkdtempSync(join(tmpdir(), "parquetry-run-commands-"));
beforeAll(() => {
  vi.stubEnv("XDG_CONFIG_HOME", folder);
  keepCredential(rig.builder.service, rig.builder.access, new Date("2999-01-01T00:00:00Z"));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** What a command prints that must succeed. */
async function printed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await callCommand(...args);
  expect([args.slice(0, 2), code, code === 0 ? "" : stderr]).toEqual([args.slice(0, 2), 0, ""]);
  return stdout;
}

test("a dataset is built from a terminal alone: recipe, run, approval, promotion, replay", {
  timeout: 120_000,
}, async () => {
  const file = join(folder, "levels.json");
  writeFileSync(file, JSON.stringify(rig.recipe()));
  expect(await printed("recipe", "check", file)).toMatch(/^levels: gauge, level and what the source has\n/);
  const made = JSON.parse(await printed("call", "create_dataset", '{"title":"By command"}', "--json"));
  const { slug } = made.dataset;
  await printed("recipe", "push", slug, file, "--note", "the first");
  expect(JSON.parse(await printed("recipe", "pull", slug))).toEqual(rig.recipe());
  expect(await printed("recipe", "pull", slug, "--yaml")).toMatch(/^schema_version: service-recipe\.v1\nsources:\n/);
  const { run_id } = JSON.parse(await printed("build", "start", slug, "--confirm", "--json"));
  const watched = await printed("build", "watch", run_id);
  expect(watched).toMatch(
    / planned .*\n.* confirmed [\s\S]* sample_ready [\s\S]*\nawaiting_approval\. .*parquetry build approve /,
  );
  expect(JSON.parse(await printed("build", "approve", run_id, "--json"))).toMatchObject({
    approval: { state: "approved" },
  });
  expect(await printed("build", "watch", run_id)).toMatch(/\nsealed\. .*parquetry promote /);
  const { receipts } = JSON.parse(await printed("promote", slug, "--json"));
  expect(receipts).toMatchObject([{ table: "levels", visibility: "private" }]);
  const replay = JSON.parse(await printed("build", "replay", run_id, "--json"));
  expect(await printed("build", "watch", replay.run_id)).toMatch(/\nsealed\. /);
  expect(await printed("build", "events", replay.run_id)).toContain("the bytes of run");
});

test("an inspection becomes a recipe that lacks a licence and a publisher alone", { timeout: 60_000 }, async () => {
  const file = join(folder, "proposed.yaml");
  const proposed = await printed("inspect", rig.office.url, "--recipe", "Proposed");
  writeFileSync(file, proposed);
  const lineOf = (text: string) => proposed.split("\n").findIndex((line) => line.includes(text)) + 1;
  const { stderr } = await callCommand("recipe", "check", file);
  expect(stderr.split("\n").filter(Boolean)).toEqual([
    expect.stringContaining(`line ${lineOf("license:")} /publish/license: `),
    expect.stringContaining(`line ${lineOf("publisher:")} /publish/publisher/name: `),
  ]);
  writeFileSync(file, proposed.replace('license: ""', "license: CC0-1.0").replace('name: ""', "name: Proposers"));
  const slug = (await printed("build", "new", "Proposed")).trim();
  await printed("recipe", "push", slug, file);
  const { run_id } = JSON.parse(await printed("build", "start", slug, "--confirm", "--json"));
  expect(await printed("build", "watch", run_id)).toMatch(/\nawaiting_approval\. /);
});

test("a sample that may read more than a quarter of the day is not started, and says why", async () => {
  const file = join(folder, "large.json");
  const large = rig.recipe(({ sources }) => {
    const [office] = sources;
    for (const name of ["second", "third"]) if (office) sources.push({ ...office, name });
  });
  writeFileSync(file, JSON.stringify(large));
  const slug = (await printed("build", "new", "Large")).trim();
  await printed("recipe", "push", slug, file);
  expect(JSON.parse(await printed("build", "start", slug, "--confirm", "--json"))).toMatchObject({
    state: "planned",
    next: expect.stringMatching(/^Not started: it may read 6\.44 GB, more than a quarter .*confirm_run/),
  });
});

test("faults of a recipe and failures of runs are printed as such", { timeout: 60_000 }, async () => {
  const file = join(folder, "faulty.yaml");
  writeFileSync(file, "schema_version: service-recipe.v1\nsources: []\n");
  const checked = await callCommand("recipe", "check", file);
  expect([checked.code, checked.stderr]).toEqual([1, expect.stringContaining("/tables: ")]);
  const none = "018f0000-0000-7000-8000-000000000000";
  expect(await callCommand("build", "watch", none)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/not_found/),
  });
});
