import { beforeAll, expect, test } from "vitest";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { addMember } from "@/lib/store/people/members";
import { setPlan } from "@/lib/store/people/workspaces";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { hostedRelease } from "@/lib/testing/stored-release";
import { newWorkspace } from "@/lib/testing/workspace";
import { createKey, listKeys } from "./keys";
import { getWorkspace } from "./workspaces";

useTestState({ LIMIT_ACCOUNT_MINUTE: "100000" });

let path = { workspace_id: "" };
let hosted: Awaited<ReturnType<typeof hostedRelease>>;
const cookies = { owner: "", member: "" };
beforeAll(async () => {
  hosted = await hostedRelease();
  path = { workspace_id: hosted.dataset.workspaceId };
  for (const role of ["owner", "member"] as const) {
    const { userId } = await newWorkspace();
    await addMember(path.workspace_id, userId, role, ADMINISTRATOR);
    cookies[role] = await sessionCookie(userId);
  }
});

const create = async (who: keyof typeof cookies) =>
  call(createKey, path, { cookie: cookies[who] }, { kind: "live", name: "pipeline" });
const standing = async () => (await call(getWorkspace, path, { cookie: cookies.owner })).body.workspace;

test("an owner creates a live key that belongs to the workspace, and is told what it opens", async () => {
  const { status, body } = await create("owner");
  expect([status, body.key]).toEqual([201, expect.stringMatching(/^svc_live_/)]);
  expect(body.opens).toEqual([{ dataset: hosted.dataset.slug, table: "rows", current_path: `${hosted.path}/current` }]);
  const { keys } = (await call(listKeys, path, { cookie: cookies.member })).body;
  expect(keys).toContainEqual(expect.objectContaining({ id: body.id, kind: "live", created_by: null }));
});

test("a member cannot create one", async () => {
  const { status, body } = await create("member");
  expect([status, body.error]).toEqual([403, "insufficient_scope"]);
});

test("none is created without an active subscription, and the workspace says since when", async () => {
  const id = path.workspace_id;
  const to = (subscription: "active" | "past_due" | "canceled", at = new Date()) =>
    setPlan(id, { plan: "paid", subscription }, at, ADMINISTRATOR);
  await to("past_due", new Date(Date.now() - 86_400_000));
  expect((await create("owner")).status).toBe(201);
  const { past_due_until: until, subscription_active: active } = await standing();
  expect([active, Math.round((Date.parse(until) - Date.now()) / 86_400_000)]).toEqual([true, 6]);
  await to("canceled");
  const { status, body } = await create("owner");
  expect([status, body.error]).toEqual([402, "subscription_inactive"]);
  expect(await standing()).toMatchObject({ subscription_active: false, past_due_until: null });
  await to("active");
  expect(await (await database()).prisma.accessKey.count({ where: { workspaceId: id, kind: "live" } })).toBe(3);
});
