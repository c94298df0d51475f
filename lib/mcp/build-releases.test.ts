import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { sha256Hex } from "@/lib/kernel/sha256";
import { database } from "@/lib/store/postgres/database";
import { snapshotFile } from "@/lib/testing/blob-file";
import { type LevelsRecipe, useOffice } from "@/lib/testing/office";

const { office, call, recipe, register, sample, rest } = await useOffice();

const FIRST = "gauge;level\nA;1\nB;2\n";
const SECOND = "gauge;level\nA;1\nB;5\nC;7\nD;9\n";

/** A dataset whose first run is sealed. */
async function sealed(
  title: string,
  change?: (recipe: LevelsRecipe) => void,
): Promise<{ dataset: string; run_id: string }> {
  office.file = FIRST;
  const dataset = await register(title, recipe(change));
  const { run_id, result } = await sample(dataset);
  await call("approve_full_run", { run_id, recipe_digest: result.recipe_digest });
  expect(await rest(run_id)).toMatchObject({ state: "sealed" });
  return { dataset, run_id };
}

const oncePromoted = (recipe: LevelsRecipe) => Object.assign(recipe.publish, { auto_promote: false });

test("before a promotion, the difference from the current release is shown, also for a complete sample", async () => {
  const { dataset, run_id } = await sealed("Differences", oncePromoted);
  const first = await call("get_run", { run_id });
  expect(first.differences).toMatchObject([
    { table: "levels", current_version_id: null, rows: null, words: "levels: the first release, 2 rows" },
  ]);
  await expect(call("query_table", { table_id: `${dataset}/levels`, columns: [] })).rejects.toThrow(
    /has no current table yet\..*promote_table/,
  );
  const { receipts } = await call("promote_table", { dataset });
  expect((await call("get_run", { run_id })).differences).toBeUndefined(); // it is what is current
  office.file = SECOND;
  const second = await rest((await call("start_run", { dataset })).run_id);
  const expected = [
    {
      ...{ table: "levels", current_version_id: receipts[0].version_id },
      columns: { added: [], removed: [], retyped: [] },
      rows: { compared_by: "primary_key", before: 2, after: 4, added: 2, removed: 0, changed: 1, unchanged: 1 },
      words: "levels: 2 rows added, 0 removed, 1 changed; 4 rows instead of 2",
    },
  ];
  expect(second.differences).toEqual(expected);
  expect((await call("promote_table", { dataset })).differences).toEqual(expected);
  const back = { dataset, version_id: receipts[0].version_id };
  await expect(call("promote_table", back)).rejects.toThrow(/roll_back: true/);
  const rolled = await call("promote_table", { ...back, roll_back: true });
  expect(rolled).toMatchObject({
    receipts: [{ version_id: receipts[0].version_id, current: true }],
    differences: [{ rows: { added: 0, removed: 2, changed: 1 } }],
  });
  const patch = [{ op: "replace", path: "/tables/0/columns/1/type", value: "int64" }];
  const { run } = await call("propose_revision", { dataset, base: 1, note: "wider", patch, start: true });
  const sampled = await call("confirm_run", { run_id: run.run_id, wait_ms: 20_000 });
  expect((await rest(run.run_id)).differences).toMatchObject([
    {
      columns: { retyped: [{ name: "level", from: "int32", to: "int64" }] },
      rows: { added: 2, removed: 0, changed: 0 },
    },
  ]);
  expect(sampled.state).toBe("awaiting_approval");
});

test("after a rollback, a time still names what was current then, and one version is current", async () => {
  const { dataset, run_id } = await sealed("Rolled back", oncePromoted);
  const promote = async (choice: object): Promise<string> =>
    (await call("promote_table", { dataset, ...choice })).receipts[0].version_id;
  const first = await promote({ run_id });
  office.file = SECOND;
  await rest((await call("start_run", { dataset })).run_id);
  const second = await promote({});
  for (const version_id of [first, second, first]) await promote({ version_id, roll_back: true });
  const { prisma } = await database();
  const promotions = await prisma.promotion.findMany({
    where: { versionId: { in: [first, second] } },
    orderBy: { at: "asc" },
  });
  expect(promotions.map(({ versionId, reason }) => [versionId, reason])).toEqual([
    [first, "promoted"],
    [second, "promoted"],
    [first, "rolled_back"],
    [second, "promoted"], // the newest again: nothing was gone back to, so refreshes become current as before
    [first, "rolled_back"],
  ]);
  const table_id = `${dataset}/levels`;
  for (const { at, versionId } of promotions) {
    const { citation } = await call("query_table", { table_id, as_of: at.toISOString(), columns: ["gauge"] });
    expect(citation).toContain(versionId);
  }
  const { versions } = await call("list_versions", { table_id });
  expect(versions).toMatchObject([{ version_id: second }, { version_id: first, current: true }]);
  expect(versions[0].current).toBeUndefined();
});

test("a rollback is rejected if another version is current than the caller expects", async () => {
  const { dataset } = await sealed("Expected");
  const { receipts } = await call("promote_table", { dataset, expected_current: null });
  const [{ version_id }] = receipts;
  await expect(call("promote_table", { dataset, expected_current: null })).rejects.toThrow(/not the expected one/);
  await expect(call("promote_table", { dataset, tables: ["none"] })).rejects.toThrow(/no new version of none/);
  const key = { idempotency_key: "again-and-again" };
  const again = await call("promote_table", { dataset, expected_current: version_id, ...key });
  expect(await call("promote_table", { dataset, expected_current: version_id, ...key })).toEqual(again);
  await expect(call("promote_table", { dataset, ...key })).rejects.toThrow(/idempotency_key_reused/);
  const foreign = "018f0000-0000-7000-8000-000000000000";
  await expect(call("promote_table", { dataset, version_id: foreign })).rejects.toThrow(/Unknown version/);
});

test("a replay makes the same output from the same bytes, whatever its source returns today", async () => {
  const { dataset, run_id } = await sealed("Replays");
  await call("promote_table", { dataset });
  const [{ content_digest }] = (await call("get_run", { run_id })).result.tables;
  office.file = SECOND;
  const { requests } = office;
  const replay = await call("replay_run", { run_id, idempotency_key: "prove-it" });
  expect(replay).toMatchObject({
    ...{ kind: "replay", state: "queued_full" },
    reproduces: [{ table: "levels", expected_digest: content_digest }],
  });
  expect(await rest(replay.run_id)).toMatchObject({
    ...{ kind: "replay", state: "sealed", outcome: "unchanged" },
    result: {
      tables: [{ content_digest }],
      reproduces: [{ table: "levels", expected_digest: content_digest, content_digest, verdict: "same_bytes" }],
    },
  });
  expect(office.requests).toBe(requests);
  expect((await call("replay_run", { run_id, idempotency_key: "prove-it" })).run_id).toBe(replay.run_id);
  const refreshed = await rest((await call("start_run", { dataset })).run_id);
  expect(refreshed).toMatchObject({ outcome: "released" });
  const older = await rest((await call("replay_run", { run_id })).run_id);
  expect(older).toMatchObject({ outcome: "unchanged", result: { reproduces: [{ verdict: "same_bytes" }] } });
  const { tables } = await call("get_my_dataset", { dataset });
  expect(tables[0].current.version_id).toBe(refreshed.result.tables[0].version_id);
});

test("another revision is tried on old bytes, and bytes that are gone are named with their day", async () => {
  const { dataset, run_id } = await sealed("Old bytes");
  office.file = SECOND;
  const patch = [
    {
      op: "add",
      path: "/tables/0/steps/-",
      value: { step: "derive", columns: { twice: { fn: "mul", args: [{ col: "level" }, 2] } } },
    },
  ];
  await call("propose_revision", { dataset, base: 1, note: "twice", patch });
  const tried = await call("replay_run", { run_id, revision: 2 });
  expect(tried).toMatchObject({ kind: "replay", state: "planned", revision: 2 });
  await call("confirm_run", { run_id: tried.run_id, wait_ms: 20_000 });
  const { result } = await rest(tried.run_id);
  expect(result.preview.levels.rows).toEqual([
    ["A", "1", "2"],
    ["B", "2", "4"],
  ]);
  await call("cancel_run", { run_id: tried.run_id });
  await expect(call("replay_run", { run_id: tried.run_id })).rejects.toThrow(/cancelled\. Only a sealed run/);
  await rm(snapshotFile(sha256Hex(FIRST)));
  const day = new Date().toISOString().slice(0, 10);
  await expect(call("replay_run", { run_id })).rejects.toThrow(
    new RegExp(`not_found.*The bytes of office of ${day} are gone`),
  );
});
