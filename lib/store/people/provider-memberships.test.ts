import { expect, test } from "vitest";
import { ADMINISTRATOR, type Author, listAudit } from "@/lib/store/audit";
import { useTestState } from "@/lib/testing/database";
import { addMember, listMembers, removeMember, setRole } from "./members";
import { ensurePerson } from "./people";
import { type ProviderGrant, setProviderMemberships } from "./provider-memberships";
import { createWorkspace } from "./workspaces";

useTestState();

const SIGN_IN: Author = { actor: "service" };

const newPerson = () => ensurePerson(`${crypto.randomUUID()}@example.com`, ADMINISTRATOR);

async function workspaceOf(owner?: { userId: string }) {
  return createWorkspace("Lab", (owner ?? (await newPerson())).userId, ADMINISTRATOR);
}

const sync = (userId: string, grants: ProviderGrant[], provider = "acme") =>
  setProviderMemberships({ userId, provider, grants, end: "group ended" }, SIGN_IN);

const roleOf = async (workspaceId: string, userId: string) =>
  (await listMembers(workspaceId)).find((member) => member.userId === userId)?.role;

const actionsIn = async (workspaceId: string) =>
  (await listAudit({ workspaceId, limit: 10 })).map(({ action }) => action).reverse();

test("a workspace keeps its last owner, and the log says so", async () => {
  const [owner, guest] = [await newPerson(), await newPerson()];
  const workspaceId = await workspaceOf(owner);
  await sync(guest.userId, [{ workspaceId, role: "owner", group: "leads" }]);
  await removeMember(workspaceId, owner.userId, ADMINISTRATOR);
  await sync(guest.userId, []);
  await sync(guest.userId, [{ workspaceId, role: "member", group: "staff" }]);
  expect(await roleOf(workspaceId, guest.userId)).toBe("owner");
  expect((await actionsIn(workspaceId)).slice(-2)).toEqual(["member.kept", "member.kept"]);
  await addMember(workspaceId, owner.userId, "owner", ADMINISTRATOR);
  await sync(guest.userId, []);
  expect(await roleOf(workspaceId, guest.userId)).toBeUndefined();
});

test("memberships by hand and by another provider stay as they are", async () => {
  const guest = await newPerson();
  const [byHand, byOther] = [await workspaceOf(), await workspaceOf()];
  await addMember(byHand, guest.userId, "member", ADMINISTRATOR);
  await sync(guest.userId, [{ workspaceId: byOther, role: "member", group: "partners" }], "partner");
  const grants = [byHand, byOther].map((workspaceId) => ({ workspaceId, role: "owner" as const, group: "leads" }));
  await sync(guest.userId, grants);
  await sync(guest.userId, []);
  expect([await roleOf(byHand, guest.userId), await roleOf(byOther, guest.userId)]).toEqual(["member", "member"]);
});

test("a role by groups is changed there; the administrator makes it one by hand", async () => {
  const guest = await newPerson();
  const workspaceId = await workspaceOf();
  await sync(guest.userId, [{ workspaceId, role: "member", group: "staff" }]);
  const owner: Author = { actor: "person" };
  expect(await setRole(workspaceId, guest.userId, "owner", owner)).toBe("from_provider");
  expect(await setRole(workspaceId, guest.userId, "member", ADMINISTRATOR)).toBeUndefined();
  await sync(guest.userId, []);
  expect(await roleOf(workspaceId, guest.userId)).toBe("member");
});

test("personal and missing workspaces have no members by groups", async () => {
  const [owner, guest] = [await newPerson(), await newPerson()];
  const ids = [owner.workspaceId, crypto.randomUUID()];
  const grants = ids.map((workspaceId) => ({ workspaceId, role: "owner" as const, group: "leads" }));
  expect((await sync(guest.userId, grants)).sort()).toEqual(ids.sort());
  expect(await roleOf(owner.workspaceId, guest.userId)).toBeUndefined();
});

test("sign-ins of several people at once leave each workspace with an owner", async () => {
  const people = await Promise.all(Array.from({ length: 6 }, newPerson));
  const [first, second] = [await workspaceOf(people[0]), await workspaceOf(people[1])];
  const grants = [first, second].map((workspaceId) => ({ workspaceId, role: "owner" as const, group: "leads" }));
  for (const given of [grants, [...grants].reverse(), []])
    await Promise.all(people.map(({ userId }, at) => sync(userId, at % 2 ? given : [...given].reverse())));
  for (const id of [first, second])
    expect((await listMembers(id)).filter(({ role }) => role === "owner").length).toBeGreaterThan(0);
});
