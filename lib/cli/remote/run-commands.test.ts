import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { callCommand } from "@/lib/testing/command";
import { useOffice } from "@/lib/testing/office";
import { keepCredential } from "./credential-file";

const rig = await useOffice();
const folder = mkdtempSync(join(tmpdir(), "parquetry-run-commands-"));
beforeEach(() => void vi.stubEnv("XDG_CONFIG_HOME", folder));
beforeAll(() => {
  vi.stubEnv("XDG_CONFIG_HOME", folder);
  keepCredential(rig.builder.service, rig.builder.access, new Date("2999-01-01T00:00:00Z"));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** The output of a command that must succeed. */
async function printed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await callCommand(...args);
  expect([args.slice(0, 2), code, code === 0 ? "" : stderr]).toEqual([args.slice(0, 2), 0, ""]);
  return stdout;
}

test("a dataset is built entirely from a terminal: recipe, run, approval, promotion, replay", async () => {
  const file = join(folder, "levels.json");
  writeFileSync(file, JSON.stringify(rig.recipe()));
  expect(await printed("recipe", "check", file)).toMatch(/^levels: gauge, level and what the source has\n/);
  const made = JSON.parse(await printed("call", "create_dataset", '{"title":"By command"}', "--json"));
  const { slug } = made.dataset;
  expect(await printed("recipe", "push", slug, file, "--check")).toMatch(
    /^The recipe has no faults\. Nothing was stored\.\nlevels: gauge string, level int32\n[\s\S]*recipe push without --check/,
  );
  expect(await printed("recipe", "push", slug, file, "--note", "the first")).toMatch(
    new RegExp(
      `^Revision 1 of ${slug} is registered\\.\n[\\s\\S]*\nNext: parquetry build start ${slug} plans a run\\.\n$`,
    ),
  );
  expect(JSON.parse(await printed("recipe", "pull", slug))).toEqual(rig.recipe());
  expect(await printed("recipe", "pull", slug, "--yaml")).toMatch(/^schema_version: service-recipe\.v1\nsources:\n/);
  const planned = await printed("build", "start", slug);
  expect(planned).toMatch(
    /revision 1: planned\nReads 1 source, .*\nNext: parquetry build confirm \S+ starts the sample/,
  );
  const run_id = /^Run (\S+) of/.exec(planned)?.[1] ?? "";
  const sampled = [
    ...[`Run ${run_id} of ${slug}, revision 1: awaiting approval`, "levels: 2 rows, 2 columns"],
    ...["Check row_count_change on levels. Not checked: there is no current release yet.", "1 check holds."],
    `Next: parquetry build rows ${run_id} levels prints its first rows, parquetry build approve ${run_id} approves it.`,
  ].join("\n");
  expect(await printed("build", "confirm", run_id)).toBe(`${sampled}\n`);
  const watched = await printed("build", "watch", run_id);
  expect(watched).toMatch(/ planned .*\n.* confirmed [\s\S]* sample_ready /);
  expect(watched).toContain(`\n${sampled}\n`);
  expect(await printed("build", "approve", run_id)).toMatch(
    /\n(?:Approved\.\nNext: parquetry build watch \S+ waits for it|Next: Sealed, not current: .*)\.\n$/,
  );
  expect(await printed("build", "watch", run_id)).toMatch(/: sealed\nNext: Sealed, not current: parquetry promote /);
  expect(await printed("promote", slug)).toMatch(
    /^levels is current, private: version \S+\nNext: parquetry call query_table '\{"table_id":"\S+"\}' reads it\.\n$/,
  );
  expect(await printed("promote", slug, "--public")).toMatch(
    /^Next: An owner approves it at http\S+\/approve; nothing is public or active until then\.\n$/,
  );
  expect(JSON.parse(await printed("promote", slug, "--json"))).toMatchObject({ receipts: [{ table: "levels" }] });
  const replay = JSON.parse(await printed("build", "replay", run_id, "--json"));
  expect(await printed("build", "watch", replay.run_id)).toMatch(/: sealed\n/);
  expect(await printed("build", "events", replay.run_id)).toMatch(/^ {2}1 {2}\S+ {2}queued .*the bytes of run/);
  expect(await printed("build", "diagnose", `${slug}/levels`)).toMatch(/^\w+: .*\n[\s\S]*Next: /);
});

test("an inspection becomes a recipe that lacks only a licence and a publisher", async () => {
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
  expect(await printed("build", "watch", run_id)).toMatch(/: awaiting approval\n/);
});

test("a failed check is printed with its first values, and failures are described in terms of commands", async () => {
  const file = join(folder, "failing.json");
  const checks = [{ check: "range", column: "level", min: 2 }];
  writeFileSync(file, JSON.stringify(rig.recipe(({ tables: [table] }) => void Object.assign(table ?? {}, { checks }))));
  const slug = (await printed("build", "new", "Failing")).trim();
  const pushed = await printed("recipe", "push", slug, file, "--start");
  const run_id = /\nRun (\S+) is planned\.\nReads 1 source/.exec(pushed)?.[1] ?? "";
  const early = await callCommand("build", "approve", run_id);
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining("parquetry build confirm RUN") });
  expect(await printed("build", "confirm", run_id)).toContain(
    '\nCheck failed: range on levels. "level" is at least 2: 1 failure.\n  gauge "A", level "1"\n',
  );
  const asked = await printed("build", "approve", run_id, "--then", "public");
  expect(asked).toMatch(/\nNext: Approve it at http\S+\/approve; nothing runs until then\.\n$/);
  const promoted = await callCommand("promote", slug);
  expect(promoted).toMatchObject({ code: 1, stderr: expect.stringContaining("Start one with parquetry build start.") });
});

test("a sample that may read more than a quarter of the daily quota is not started, and says why", async () => {
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

test("faults of a recipe and failures of runs are printed as such", async () => {
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
