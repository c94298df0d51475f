import { expect, test } from "vitest";
import { admitBearer } from "@/lib/access/authenticate";
import { takeQuery } from "@/lib/access/quotas";
import { createKey } from "@/lib/access/use-keys";
import { insideContext } from "@/lib/http/context";
import { baseUrl } from "@/lib/kernel/env";
import type { Usage } from "@/lib/schemas/usage";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { revokeConnection } from "@/lib/store/people/agent-connections";
import { addMember } from "@/lib/store/people/members";
import { setDisabled } from "@/lib/store/people/people";
import { addUsage } from "@/lib/store/usage/usage";
import { connectAgent } from "@/lib/testing/agent";
import { useTestState } from "@/lib/testing/database";
import { waitingDevice } from "@/lib/testing/device";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { newWorkspace } from "@/lib/testing/workspace";
import { listKeys } from "./keys";
import { getUsage } from "./usage";

useTestState();

const TODAY = new Date().toISOString().slice(0, 10);

/** A workspace with an owner and a member, a key of each and one of the workspace itself, each of them used today. */
async function sharedWorkspace() {
  const [owner, member] = [await newWorkspace(), await newWorkspace()];
  const { workspaceId } = owner;
  await addMember(workspaceId, member.userId, "member", ADMINISTRATOR);
  const made = (name: string, userId: string | null) =>
    createKey({ kind: userId ? "use" : "live", name, workspaceId, userId, expiresAt: null }, ADMINISTRATOR);
  const keys = [
    await made("owner's", owner.userId),
    await made("member's", member.userId),
    await made("workspace's", null),
  ];
  const tableId = crypto.randomUUID();
  await addUsage({
    uses: keys.map(({ id }, at) => ({
      day: TODAY,
      workspaceId,
      keyId: id,
      tableId,
      queries: at + 1,
      downloads: 0,
      rows: 1,
      bytes: 1,
    })),
  });
  const as = async (userId: string) => ({ cookie: await sessionCookie(userId) });
  return {
    workspaceId,
    owner: await as(owner.userId),
    member: await as(member.userId),
    ownerId: owner.userId,
    memberId: member.userId,
    keys,
  };
}

test("a member sees figures of all keys but details only of their own; an owner sees all", async () => {
  const { workspaceId, owner, member } = await sharedWorkspace();
  const usage = async (headers: Record<string, string>) =>
    (await call(getUsage, { workspace_id: workspaceId }, headers)).body;
  const named = ({ keys }: { keys: { name: string | null; ends: string | null; queries: number }[] }) =>
    keys.map(({ name, ends, queries }) => [queries, name, ends !== null]);
  const forMember = await usage(member);
  expect(named(forMember)).toEqual([
    [3, "workspace's", true],
    [2, "member's", true],
    [1, null, false],
  ]);
  expect(forMember.limits.map(({ name }: { name: string }) => name)).toEqual(["member's", "Your own browser"]);
  expect(forMember.total).toMatchObject({ queries: 6, today: { queries: 6 } });
  const forOwner = await usage(owner);
  expect(named(forOwner)).toEqual([
    [3, "workspace's", true],
    [2, "member's", true],
    [1, "owner's", true],
  ]);
  expect(forOwner.limits.map(({ name }: { name: string }) => name).sort()).toEqual([
    "Your own browser",
    "member's",
    "owner's",
  ]);
});

test("every count against a limit says when it resets: at the next full minute, and midnight UTC", async () => {
  const { workspaceId, owner } = await sharedWorkspace();
  const [first] = (await call(getUsage, { workspace_id: workspaceId }, owner)).body.limits;
  const minute = Date.parse(first.queries_minute.resets_at);
  expect(minute % 60_000).toBe(0);
  expect(minute - Date.now()).toBeLessThanOrEqual(60_000);
  for (const { resets_at } of [first.queries_day, first.downloads_day])
    expect(Date.parse(resets_at)).toBe(Date.parse(TODAY) + 86_400_000);
});

test("keys of a disabled person are shown as revoked, without quotas", async () => {
  const { workspaceId, owner, memberId } = await sharedWorkspace();
  await setDisabled(memberId, true, ADMINISTRATOR);
  const { keys } = (await call(listKeys, { workspace_id: workspaceId }, owner)).body;
  const revoked = (name: string) => keys.find((key: { name: string }) => key.name === name).revoked_at;
  expect([revoked("owner's"), revoked("member's")]).toEqual([null, expect.any(String)]);
  const { limits } = (await call(getUsage, { workspace_id: workspaceId }, owner)).body;
  expect(limits.map(({ name }: { name: string }) => name)).toEqual(["owner's", "Your own browser"]);
});

test("connected agents and devices are shown with their own quotas, to their person and to owners", async () => {
  const { workspaceId, owner, member, ownerId, memberId } = await sharedWorkspace();
  const resource = `${baseUrl()}/api/mcp`;
  const agent = await connectAgent({ userId: memberId, workspaceId, resource, name: "Field agent" });
  const other = await connectAgent({ userId: ownerId, workspaceId, resource, name: "Owner's agent" });
  const device = await waitingDevice(baseUrl(), new Date(), { device_name: "lab-7" });
  await device.allow({ userId: memberId, workspaceId });
  expect((await device.poll(new Date(Date.now() + 5000))).status).toBe(200);
  const reading = await admitBearer(`Bearer ${agent.access}`, resource, insideContext());
  for (let at = 0; at < 3; at++) await takeQuery(reading);
  const limits = async (who: Record<string, string>) =>
    (await call(getUsage, { workspace_id: workspaceId }, who)).body.limits
      .filter(({ kind }: Usage["limits"][number]) => kind !== "browser")
      .filter(({ kind }: { kind: string }) => kind !== "key")
      .map(({ kind, name, ends, queries_day, downloads_day }: Usage["limits"][number]) => [
        kind,
        name,
        ends?.slice(0, 8) ?? null,
        queries_day.used,
        downloads_day,
      ])
      .sort();
  const own = [
    ["agent", "Field agent", null, 3, null],
    ["device", "lab-7", "svc_cli_", 0, null],
  ];
  expect(await limits(member)).toEqual(own);
  expect(await limits(owner)).toEqual([own[0], ["agent", "Owner's agent", null, 0, null], own[1]]);
  for (const { id } of [agent, other]) await revokeConnection({ id }, ADMINISTRATOR);
  expect(await limits(owner)).toEqual([own[1]]);
});
