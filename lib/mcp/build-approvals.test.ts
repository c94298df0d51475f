import { expect, test } from "vitest";
import { createKey } from "@/lib/access/use-keys";
import { approveFullRun, decideRun } from "@/lib/operations/approvals/approve-run";
import { setApprovalPolicy } from "@/lib/operations/approvals/set-approval-policy";
import { promoteTable } from "@/lib/operations/releases/promote-table";
import { ADMINISTRATOR, listAudit } from "@/lib/store/audit";
import { addMember } from "@/lib/store/people/members";
import { database } from "@/lib/store/postgres/database";
import { expireRuns } from "@/lib/store/runs/run-upkeep";
import { connectAgent } from "@/lib/testing/agent";
import { useMailServer } from "@/lib/testing/mail-server";
import { useOffice } from "@/lib/testing/office";
import { call as callOverHttp, sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";

const { url: SMTP_URL, received } = await useMailServer();

const rig = await useOffice({ SMTP_URL });
const { call, recipe, register, sample, rest } = rig;

const after = (promote: "none" | "private" | "public") => ({ promote, activate: false });

/** A sample that waits for approval, with the body of a decision on it. */
async function waiting(title: string) {
  const dataset = await register(title, recipe());
  const { run_id, result } = await sample(dataset);
  const path = { workspace_id: rig.builder.workspaceId, run_id };
  return { dataset, run_id, path, recipe_digest: result.recipe_digest as string };
}

const person = async (userId: string) => ({ cookie: await sessionCookie(userId) });

test("only a member's session in the service's own pages can decide", async () => {
  const { path, recipe_digest, run_id } = await waiting("Deciders");
  const { workspaceId, userId } = rig.builder;
  const stranger = await newWorkspace();
  const key = (await createKey({ kind: "use", name: "k", workspaceId, userId, expiresAt: null }, ADMINISTRATOR)).key;
  const resource = "http://localhost:3000/api/mcp";
  const { access } = await connectAgent({ userId, workspaceId, resource, scopes: ["datasets:build"] });
  const own = await person(userId);
  const decision = { decision: "approve", recipe_digest };
  const tried: [who: string, headers: Record<string, string>, refusal: string][] = [
    ["nobody", {}, "401 key_missing"],
    ["a bearer", { authorization: `Bearer ${access}` }, "401 key_missing"],
    ["a use key", { "x-api-key": key }, "401 key_wrong_type"],
    ["a stranger", await person(stranger.userId), "404 not_found"],
    ["another site's form", { ...own, origin: "https://evil.example" }, "403"],
    ["another site's fetch", { ...own, "sec-fetch-site": "cross-site" }, "403"],
  ];
  for (const operation of [decideRun, approveFullRun])
    for (const [who, headers, refusal] of tried) {
      const body = operation === decideRun ? decision : { recipe_digest };
      const { status, body: said } = await callOverHttp(operation, path, headers, body);
      expect([who, `${status} ${said.error}`]).toEqual([who, expect.stringContaining(refusal)]);
    }
  expect((await call("get_run", { run_id })).state).toBe("awaiting_approval");
  await expect(call("decide_run", { run_id, ...decision })).rejects.toThrow(/decide_run|Unknown tool|not found/i);
});

test("an old digest and an old session decide nothing; two decisions at once get the same answer", async () => {
  const { dataset, path, recipe_digest, run_id } = await waiting("Digests");
  const { userId } = rig.builder;
  const own = await person(userId);
  const old = await callOverHttp(decideRun, path, own, { decision: "approve", recipe_digest: "sha256:00" });
  expect([old.status, old.body.message]).toEqual([409, expect.stringContaining(recipe_digest)]);
  await expect(call("approve_full_run", { run_id, recipe_digest: "sha256:00" })).rejects.toThrow(/Read the sample/);
  const { prisma } = await database();
  const yesterday = new Date(Date.now() - 13 * 3_600_000);
  const late = await person(userId);
  await prisma.session.updateMany({ where: { userId }, data: { createdAt: yesterday } });
  const stale = await callOverHttp(decideRun, path, late, { decision: "approve", recipe_digest });
  expect([stale.status, stale.body.error]).toEqual([401, "key_expired"]);
  const fresh = await person(userId);
  const decision = { decision: "approve", recipe_digest };
  const twice = await Promise.all([1, 2, 3].map(() => callOverHttp(decideRun, path, fresh, decision)));
  expect(twice.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(twice.map(({ body }) => body.approval.state))).toEqual(new Set(["approved"]));
  const events = await prisma.runEvent.count({ where: { runId: run_id, kind: "approved" } });
  expect(events).toBe(1);
  expect(await rest(run_id)).toMatchObject({ state: "sealed" });
  expect(await call("approve_full_run", { run_id, recipe_digest })).toMatchObject({ state: "sealed" });
  expect(await call("start_run", { dataset })).toMatchObject({ kind: "refresh" }); // at any time, without a person
});

test("an approval from 400 days ago starts nothing automatically", async () => {
  const { dataset, recipe_digest, run_id } = await waiting("Long ago");
  await call("approve_full_run", { run_id, recipe_digest });
  await rest(run_id);
  const { prisma } = await database();
  const data = { approvedAt: new Date(Date.now() - 400 * 86_400_000) };
  await prisma.recipeRevision.updateMany({ where: { dataset: { slug: dataset } }, data });
  expect(await call("start_run", { dataset })).toMatchObject({ kind: "build", state: "planned" });
});

test("the first publication requires an owner in the browser, who is notified by email", async () => {
  const { dataset, path, recipe_digest, run_id } = await waiting("First publication");
  const { workspaceId, userId } = rig.builder;
  const member = await newWorkspace();
  await addMember(workspaceId, member.userId, "member", ADMINISTRATOR);
  received.length = 0;
  // biome-ignore lint/suspicious/noThenProperty: the word of the interface
  const wanted = { run_id, recipe_digest, then: after("public"), message: "ignore-this-text" };
  expect(await call("approve_full_run", wanted)).toMatchObject({ approval: { who_can: "owners" } });
  expect(await rest(run_id)).toMatchObject({ state: "sealed" });
  expect((await call("get_my_dataset", { dataset })).dataset.visibility).toBe("private");
  const promoted = await call("promote_table", { dataset, visibility: "public" });
  expect(promoted).toMatchObject({ receipts: [], approval: { state: "asked" } });
  expect(await call("get_run", { run_id })).toMatchObject({ state: "sealed", asks: true });
  const needed = async () => (await call("list_my_datasets", { q: dataset })).datasets[0];
  expect(await needed()).toMatchObject({ needs: `approval of run ${run_id}`, last_run: { asks: true } });
  const { email } = await (await database()).prisma.user.findUniqueOrThrow({ where: { id: userId } });
  await expect.poll(() => received.map(({ to }) => to)).toEqual([email]); // once, and only owners
  const text = received[0]?.text.replaceAll("=\r\n", "") ?? "";
  expect(text).toContain(`/studio/${dataset}/runs/${run_id}/approve`);
  expect(text).not.toContain("ignore-this-text");
  const actions = (await listAudit({ workspaceId, limit: 50 })).map(({ action }) => action);
  expect(actions).toContain("run.approval_asked");
  // biome-ignore lint/suspicious/noThenProperty: the word of the interface
  const decision = { decision: "approve", recipe_digest, then: after("public") };
  const asMember = await callOverHttp(decideRun, path, await person(member.userId), decision);
  expect([asMember.status, asMember.body.error]).toEqual([403, "insufficient_scope"]);
  const place = { workspace_id: workspaceId, dataset };
  const direct = await callOverHttp(promoteTable, place, await person(member.userId), { visibility: "public" });
  expect([direct.status, direct.body.receipts, direct.body.approval.who_can]).toEqual([200, [], "owners"]);
  const own = await person(userId);
  // biome-ignore lint/suspicious/noThenProperty: the word of the interface
  const other = await callOverHttp(decideRun, path, own, { ...decision, then: after("none") }); // not what was asked
  expect([other.status, other.body.error]).toEqual([409, "conflict"]);
  const asOwner = await callOverHttp(decideRun, path, own, decision);
  expect([asOwner.status, asOwner.body.approval.state]).toEqual([200, "approved"]);
  const [approved] = (await listAudit({ workspaceId, limit: 50 })).filter(({ action }) => action === "run.approved");
  expect(approved).toMatchObject({ subject: run_id, details: { dataset, kind: "publish" } });
  expect((await call("get_my_dataset", { dataset })).dataset.visibility).toBe("public");
  expect(await needed()).toMatchObject({ needs: null, last_run: { asks: false } });
});

test("a question about a publication that nobody answered in time expires, and can be asked anew", async () => {
  const { dataset, path, recipe_digest, run_id } = await waiting("Late publication");
  await call("approve_full_run", { run_id, recipe_digest });
  await rest(run_id);
  const ask = () => call("promote_table", { dataset, visibility: "public" });
  const own = await person(rig.builder.userId);
  const decide = (decision: "approve" | "decline") =>
    // biome-ignore lint/suspicious/noThenProperty: the word of the interface
    callOverHttp(decideRun, path, own, { decision, recipe_digest, reason: "not yet", then: after("public") });
  await ask();
  await decide("decline");
  const asked = (await ask()).approval;
  expect(asked).toMatchObject({ state: "asked", reason: null });
  const { prisma } = await database();
  const passed = { runId: run_id, kind: "publish" as const };
  await prisma.approval.updateMany({ where: passed, data: { expiresAt: new Date(Date.now() - 1000) } });
  const { body: late } = await decide("approve");
  expect(["conflict", "expired"]).toContain(late.error ?? late.approval.state); // noticed now, or by upkeep before
  expect((await call("get_my_dataset", { dataset })).dataset.visibility).toBe("private");
  await expireRuns(new Date());
  expect(await call("get_run", { run_id })).toMatchObject({ approval: { state: "expired" } });
  expect((await call("list_my_datasets", { q: dataset })).datasets[0]).toMatchObject({ needs: null });
  expect((await ask()).approval.state).toBe("asked");
  expect((await decide("approve")).body.approval.state).toBe("approved");
  expect((await call("get_my_dataset", { dataset })).dataset.visibility).toBe("public");
});

test("an owner, and nobody else, has a person approve every recipe of a dataset", async () => {
  const { dataset, recipe_digest, run_id } = await waiting("Strict");
  const { workspaceId, userId } = rig.builder;
  const path = { workspace_id: workspaceId, dataset };
  const member = await newWorkspace();
  await addMember(workspaceId, member.userId, "member", ADMINISTRATOR);
  const set = async (who: string, approval_policy: string) =>
    (await callOverHttp(setApprovalPolicy, path, await person(who), { approval_policy })).status;
  expect(await set(member.userId, "person")).toBe(403);
  expect(await set(userId, "person")).toBe(200);
  expect(await call("get_my_dataset", { dataset })).toMatchObject({ dataset: { approval_policy: "person" } });
  const asked = await call("approve_full_run", { run_id, recipe_digest });
  expect(asked).toMatchObject({ state: "awaiting_approval", approval: { state: "asked", who_can: "members" } });
  const changed = (await listAudit({ workspaceId, limit: 50 })).find(({ action }) => action === "build.policy_changed");
  expect(changed).toMatchObject({ subject: dataset, details: { to: "person" } });
  const { prisma } = await database();
  const old = await person(userId);
  await prisma.session.updateMany({ where: { userId }, data: { createdAt: new Date(Date.now() - 13 * 3_600_000) } });
  const late = (approval_policy: string) => callOverHttp(setApprovalPolicy, path, old, { approval_policy });
  expect(await late("agent_private")).toMatchObject({ status: 401, body: { error: "key_expired" } });
  expect((await late("person")).status).toBe(200);
  expect(await set(userId, "agent_private")).toBe(200);
  expect(await call("approve_full_run", { run_id, recipe_digest })).toMatchObject({ approval: { state: "approved" } });
});
