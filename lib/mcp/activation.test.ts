import { expect, test } from "vitest";
import { decideRun } from "@/lib/operations/approvals/approve-run";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { addMember } from "@/lib/store/people/members";
import { ask, liveKey, ownerCookie, sealedDataset } from "@/lib/testing/hosted";
import { useOffice } from "@/lib/testing/office";
import { call as callOverHttp, sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";

const rig = await useOffice();
const { call, rest, register, sample, recipe } = rig;

async function memberCookie(): Promise<Record<string, string>> {
  const { userId } = await newWorkspace();
  await addMember(rig.builder.workspaceId, userId, "member", ADMINISTRATOR);
  return { cookie: await sessionCookie(userId) };
}

/** What happens after the sealing, as arguments of calls. */
// biome-ignore lint/suspicious/noThenProperty: the word of the interface
const followedBy = (promote: string, activate: boolean) => Object.fromEntries([["then", { promote, activate }]]);

const decide = (run_id: string, cookie: Record<string, string>, body: object) =>
  callOverHttp(decideRun, { workspace_id: rig.builder.workspaceId, run_id }, cookie, body);

test("an agent that activates requests an owner's approval; until then there is no URL", async () => {
  const dataset = await sealedDataset(rig, "Asked to activate");
  const asked = await call("promote_table", { dataset, activate: true });
  expect(asked).toMatchObject({ receipts: [], approval: { state: "asked", who_can: "owners" } });
  expect((await call("get_table", { dataset, table: "levels" })).hosted).toBeNull();
  const { runs } = await call("get_my_dataset", { dataset });
  const [{ run_id }] = runs;
  const { result } = await call("get_run", { run_id });
  const decision = { decision: "approve", recipe_digest: result.recipe_digest };
  const member = await decide(run_id, await memberCookie(), decision);
  expect([member.status, member.body.error]).toEqual([403, "insufficient_scope"]);
  const owner = await decide(run_id, await ownerCookie(rig), { ...decision, ...followedBy("none", true) });
  expect([owner.status, owner.body.approval.state]).toEqual([200, "approved"]);
  const { hosted } = await call("get_table", { dataset, table: "levels" });
  const { key } = await liveKey(rig.builder.workspaceId);
  expect((await ask(hosted.current_path, { "x-api-key": key })).status).toBe(200);
  const again = await call("promote_table", { dataset, activate: true });
  expect(again.receipts).toEqual([
    expect.objectContaining({ table: "levels", visibility: "private", current_path: hosted.current_path }),
  ]);
});

test("a member cannot publish by approving without naming it", async () => {
  const dataset = await sealedDataset(rig, "Asked to publish");
  await call("promote_table", { dataset, visibility: "public" });
  const { runs } = await call("get_my_dataset", { dataset });
  const [{ run_id }] = runs;
  const { result } = await call("get_run", { run_id });
  const said = await decide(run_id, await memberCookie(), { decision: "approve", recipe_digest: result.recipe_digest });
  expect(said.status).toBe(403);
  expect((await call("get_my_dataset", { dataset })).dataset.visibility).toBe("private");
});

test("a full run's approval is requested on sealed rows, and a person's own approval activates at once", async () => {
  const dataset = await register("Activated with the run", recipe());
  const { run_id, result } = await sample(dataset);
  const { recipe_digest } = result;
  const approved = await call("approve_full_run", { run_id, recipe_digest, ...followedBy("private", true) });
  expect(approved.approval).toMatchObject({ state: "asked", who_can: "owners" });
  expect(await rest(run_id)).toMatchObject({ state: "sealed" });
  expect((await call("get_table", { dataset, table: "levels" })).hosted).toBeNull();

  const other = await register("Activated by a person", recipe());
  const second = await sample(other);
  const body = { decision: "approve", recipe_digest: second.result.recipe_digest };
  const then = followedBy("private", true);
  expect((await decide(second.run_id, await memberCookie(), { ...body, ...then })).status).toBe(403);
  expect((await decide(second.run_id, await ownerCookie(rig), { ...body, ...then })).status).toBe(200);
  expect(await rest(second.run_id)).toMatchObject({ state: "sealed" });
  const { hosted } = await call("get_table", { dataset: other, table: "levels" });
  expect(hosted.current_path).toMatch(/^\/api\/v2\/tables\/[0-9a-f-]{36}\/current$/);
  const { events } = await call("run_events", { run_id: second.run_id, limit: 200 });
  expect(events.map(({ kind }: { kind: string }) => kind)).toContain("activated");
});

test("a table that a later recipe adds gets a URL at its first promotion", async () => {
  const dataset = await sealedDataset(rig, "Grows a table");
  const { run_id } = (await call("get_my_dataset", { dataset })).runs[0];
  await call("promote_table", { dataset, activate: true });
  const { result } = await call("get_run", { run_id });
  const cookie = await ownerCookie(rig);
  await decide(run_id, cookie, { decision: "approve", recipe_digest: result.recipe_digest });
  const grown = recipe(({ tables }) =>
    tables.push({ ...(structuredClone(tables[0]) as (typeof tables)[0]), name: "copies" }),
  );
  await call("register_recipe", { dataset, recipe: grown });
  const next = await sample(dataset);
  const decision = { decision: "approve", recipe_digest: next.result.recipe_digest };
  await decide(next.run_id, cookie, { ...decision, ...followedBy("private", false) });
  await rest(next.run_id);
  const { tables } = await call("get_my_dataset", { dataset });
  const paths = tables.map(({ hosted }: { hosted: { current_path: string } }) => hosted?.current_path);
  expect([tables.length, new Set(paths).size, paths.includes(undefined)]).toEqual([2, 2, false]);
});

test("an agent puts nothing on the hosted API that no person approved, although the dataset is private", async () => {
  const dataset = await sealedDataset(rig, "Active, and changed before");
  const first = (await call("get_my_dataset", { dataset })).runs[0].run_id;
  const changed = recipe((document) => {
    Object.assign(document, { publish: { ...document.publish, license: "ODbL-1.0" } });
    for (const table of document.tables) table.columns.reverse();
  });
  await call("register_recipe", { dataset, recipe: changed });
  const second = await sample(dataset);
  const { recipe_digest } = second.result;
  await call("approve_full_run", { run_id: second.run_id, recipe_digest, ...followedBy("none", false) });
  expect(await rest(second.run_id)).toMatchObject({ state: "sealed" });
  await call("promote_table", { dataset, run_id: first, activate: true });
  const { result } = await call("get_run", { run_id: first });
  const decision = { decision: "approve", recipe_digest: result.recipe_digest, ...followedBy("private", true) };
  expect((await decide(first, await ownerCookie(rig), decision)).status).toBe(200);
  const shown = (await call("get_table", { dataset, table: "levels" })).current;
  const asked = await call("promote_table", { dataset, run_id: second.run_id });
  expect(asked).toMatchObject({ receipts: [], approval: { state: "asked", who_can: "owners" } });
  expect((await call("get_table", { dataset, table: "levels" })).current).toEqual(shown);
});
