import { expect, test } from "vitest";
import { decideRun } from "@/lib/operations/approvals/approve-run";
import { proposeRevision } from "@/lib/operations/recipes/propose-revision";
import { type LevelsRecipe, useOffice } from "@/lib/testing/office";
import { call as callOverHttp, sessionCookie } from "@/lib/testing/signed-in";

const rig = await useOffice();
const { office, call, recipe, register, sample, rest } = rig;

// biome-ignore lint/suspicious/noThenProperty: the word of the interface
const after = (promote: "private" | "public") => ({ then: { promote } });

/** A dataset whose first revision is approved, sealed and current in its workspace. */
async function built(title: string, change?: (recipe: LevelsRecipe) => void): Promise<string> {
  const dataset = await register(title, recipe(change));
  const { run_id, result } = await sample(dataset);
  const digest = { run_id, recipe_digest: result.recipe_digest };
  await call("approve_full_run", { ...digest, ...after("private") });
  expect(await rest(run_id)).toMatchObject({ state: "sealed", outcome: "released" });
  return dataset;
}

test("a recipe that differs only in notes and titles is approved with the other and runs in full", async () => {
  const dataset = await built("Notes");
  const patch = [{ op: "add", path: "/tables/0/note", value: "Every morning at 8." }];
  const told = await call("propose_revision", { dataset, base: 1, patch, note: "a note", dry_run: true });
  expect(told).toMatchObject({ revision: null, needs_person: false, impact: { level: "texts" } });
  expect(told.diff).toEqual([{ pointer: "/tables/0/note", op: "add", before: null, after: "Every morning at 8." }]);
  const key = { idempotency_key: "notes-of-levels" };
  const proposed = await call("propose_revision", { dataset, base: 1, patch, note: "a note", start: true, ...key });
  expect(proposed).toMatchObject({
    revision: { number: 2, state: "approved" },
    run: { kind: "refresh", state: "queued_full" },
  });
  expect(await rest(proposed.run.run_id)).toMatchObject({ state: "sealed", outcome: "unchanged" });
  const again = { dataset, base: 1, patch, note: "a note", start: true };
  expect(await call("propose_revision", { ...again, ...key })).toEqual(proposed);
  await expect(call("propose_revision", again)).rejects.toThrow(
    /Revision 2 is the newest\. Since 1: add \/tables\/0\/note/,
  );
});

test("a change is described by its effects: columns, keys, checks, hosts, credentials, schedule", async () => {
  const dataset = await built("Impact");
  const propose = (patch: object[]) =>
    call("propose_revision", { dataset, base: 1, patch, note: "tried", dry_run: true });
  const renamed = await propose([
    { op: "add", path: "/tables/0/steps/0", value: { step: "rename", columns: { gauge: "station" } } },
    { op: "replace", path: "/tables/0/columns/0/name", value: "station" },
    { op: "replace", path: "/tables/0/primary_key/0", value: "station" },
  ]);
  expect(renamed.impact).toMatchObject({
    level: "shape",
    columns: { added: [], removed: [], renamed: [{ table: "levels", column: "gauge", to: "station" }] },
    keys_changed: ["levels"],
  });
  const retyped = await propose([
    { op: "replace", path: "/tables/0/columns/1/type", value: "float64" },
    { op: "replace", path: "/tables/0/checks/0/min", value: -10 },
    { op: "add", path: "/refresh", value: { every: "P1D" } },
  ]);
  expect(retyped.impact).toMatchObject({
    level: "shape",
    columns: { retyped: [{ table: "levels", column: "level", from: "int32", to: "float64" }] },
    checks_weakened: [{ table: "levels", check: "range", how: "loosened" }],
    schedule_changed: true,
    reads_more_often: true,
  });
  const tightened = await propose([{ op: "replace", path: "/tables/0/checks/0/min", value: 1 }]);
  expect(tightened.impact).toMatchObject({ level: "safe", checks_weakened: [] });
  const elsewhere = await propose([{ op: "replace", path: "/sources/0/url", value: "https://data.example.org/x.csv" }]);
  expect(elsewhere.impact).toMatchObject({ level: "sources", new_hosts: ["data.example.org"] });
  const relicensed = await propose([{ op: "replace", path: "/publish/license", value: "MIT" }]);
  expect(relicensed).toMatchObject({ impact: { level: "publishing" }, needs_person: false });
});

test("an invalid proposal is rejected with the place of the fault, and changes nothing", async () => {
  const dataset = await register("Faults", recipe());
  const propose = (args: object) => call("propose_revision", { dataset, base: 1, note: "tried", ...args });
  const remove = [{ op: "remove", path: "/tables/4" }];
  await expect(propose({ patch: remove })).rejects.toThrow(/patch\/0\/path.*the list has 1 item/);
  const wrong = [{ op: "add", path: "/tables/0/steps/-", value: { step: "renam", columns: {} } }];
  await expect(propose({ patch: wrong })).rejects.toThrow(/tables\/0\/steps\/1\/step/);
  await expect(propose({ base: 3, patch: remove })).rejects.toThrow(/Unknown revision: 3/);
  await expect(propose({})).rejects.toThrow(/exactly one of patch and recipe/);
  await expect(propose({ patch: [{ op: "add", path: "/x" }] })).rejects.toThrow(/Missing value/);
  await expect(call("propose_revision", { dataset: "no-such", base: 1, note: "x", patch: remove })).rejects.toThrow(
    /not_found/,
  );
  const { revision } = await call("get_my_dataset", { dataset });
  expect(revision.number).toBe(1);
});

test("what a revision does not touch remains locked, and what it changes is decided again", async () => {
  office.file = "gauge;level\nA;1\nB;2\n";
  const untyped = (changed: LevelsRecipe) => {
    const [table] = changed.tables;
    Object.assign(table as object, { steps: [], columns: [{ name: "gauge" }, { name: "level" }], checks: [] });
  };
  const dataset = await built("Locks", untyped);
  office.file = "gauge;level\nA;1,5\nB;2,5\n";
  const note = { base: 1, note: "another check" };
  const check = [{ op: "add", path: "/tables/0/checks", value: [{ check: "row_count", min: 1 }] }];
  const kept = await call("propose_revision", { dataset, ...note, patch: check, start: true });
  await call("confirm_run", { run_id: kept.run.run_id, wait_ms: 20_000 });
  expect(await rest(kept.run.run_id)).toMatchObject({ state: "failed" }); // "1,5" is not what the lock says
  const touch = [{ op: "add", path: "/tables/0/steps/-", value: { step: "trim" } }];
  const anew = await call("propose_revision", { dataset, base: 2, note: "texts now", patch: touch, start: true });
  await call("confirm_run", { run_id: anew.run.run_id, wait_ms: 20_000 });
  const { state, result } = await rest(anew.run.run_id);
  expect(state).toBe("awaiting_approval");
  expect(result.inferred).toMatchObject([{ column: "gauge" }, { column: "level", type: "string" }]);
  office.file = "gauge;level\nA;1\nB;2\n";
});

test("an agent makes only safe changes to a public dataset, and shows nothing that no person approved", async () => {
  const { workspaceId, userId } = rig.builder;
  const cookie = await sessionCookie(userId);
  const dataset = await register("Public levels", recipe());
  const { run_id, result } = await sample(dataset);
  const path = { workspace_id: workspaceId, run_id };
  const decision = { decision: "approve", recipe_digest: result.recipe_digest, ...after("public") };
  expect((await callOverHttp(decideRun, path, { cookie }, decision)).status).toBe(200);
  expect(await rest(run_id)).toMatchObject({ state: "sealed" });
  expect((await call("get_my_dataset", { dataset })).dataset.visibility).toBe("public");
  await expect(call("promote_table", { dataset, visibility: "private" })).rejects.toThrow("Withdraw it first");
  expect((await call("get_my_dataset", { dataset })).dataset.visibility).toBe("public");
  const shape = [
    {
      op: "add",
      path: "/tables/0/steps/-",
      value: { step: "derive", columns: { double: { fn: "mul", args: [{ col: "level" }, 2] } } },
    },
    { op: "add", path: "/tables/0/columns/-", value: { name: "double" } },
  ];
  const proposed = await call("propose_revision", { dataset, base: 1, note: "doubled", patch: shape, start: true });
  expect(proposed).toMatchObject({ needs_person: true, why_person: expect.stringContaining("published") });
  await call("confirm_run", { run_id: proposed.run.run_id, wait_ms: 20_000 });
  const sampled = await rest(proposed.run.run_id);
  const digest = sampled.result.recipe_digest;
  const asked = await call("approve_full_run", { run_id: proposed.run.run_id, recipe_digest: digest });
  expect(asked).toMatchObject({ state: "awaiting_approval", approval: { state: "asked" } });
  await call("cancel_run", { run_id: proposed.run.run_id });
  const safe = [
    { op: "remove", path: "/tables/0/columns/2" },
    { op: "remove", path: "/tables/0/steps/1" },
    { op: "replace", path: "/tables/0/checks/0/min", value: 1 },
  ];
  const small = await call("propose_revision", { dataset, base: 2, note: "tighter", patch: safe, start: true });
  expect(small).toMatchObject({ needs_person: false, compared_with: 1, impact: { level: "safe" } });
  await call("confirm_run", { run_id: small.run.run_id, wait_ms: 20_000 });
  const checked = await rest(small.run.run_id);
  const approved = { run_id: small.run.run_id, recipe_digest: checked.result.recipe_digest };
  expect(await call("approve_full_run", approved)).toMatchObject({ approval: { state: "approved" } });
  expect(await rest(small.run.run_id)).toMatchObject({ state: "sealed" });
});

test("over HTTP, a member proposes with their session", async () => {
  const { workspaceId, userId } = rig.builder;
  const dataset = await register("Over HTTP", recipe());
  const headers = { cookie: await sessionCookie(userId) };
  const body =
    '{"base":1,"note":"one more","dry_run":true,"patch":[{"op":"replace","path":"/tables/0/checks/0/min","value":0.10}]}';
  const reply = await callOverHttp(proposeRevision, { workspace_id: workspaceId, dataset }, headers, body);
  expect([reply.status, reply.body.diff]).toEqual([
    201,
    [{ pointer: "/tables/0/checks/0/min", op: "replace", before: 0, after: 0.1 }],
  ]);
});
