import { expect, test } from "vitest";
import { createKey } from "@/lib/access/use-keys";
import { hashPassword } from "@/lib/auth/password";
import { ADMINISTRATOR, listAudit } from "@/lib/store/audit";
import { addMember, setRole } from "@/lib/store/people/members";
import { createPerson, ensurePerson, findPerson } from "@/lib/store/people/people";
import { createWorkspace, listWorkspaces } from "@/lib/store/people/workspaces";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { call, sessionCookie } from "@/lib/testing/signed-in";
import { deleteAccount } from "./delete-account";
import { getAccount } from "./own-account";

useTestState();

const PASSWORD = "tangerine harpsichord 7";

async function somebody(name: string) {
  const email = `${name}@example.com`;
  const made = await createPerson(
    { email, passwordHash: await hashPassword(PASSWORD), emailVerified: new Date() },
    ADMINISTRATOR,
  );
  const id = made?.id ?? "";
  const cookie = await sessionCookie(id);
  const remove = (body: object) => call(deleteAccount, {}, { cookie }, body);
  const [own] = await listWorkspaces(id);
  return { id, email, cookie, remove, workspaceId: own?.id ?? "" };
}

test("address and password delete the account, with its sessions, keys and own workspaces", async () => {
  const { id, email, cookie, remove, workspaceId } = await somebody("leaving");
  await createKey({ workspaceId, name: "own", kind: "use", userId: id, expiresAt: null }, ADMINISTRATOR);
  expect((await remove({ email: ` ${email.toUpperCase()} `, password: PASSWORD })).status).toBe(200);
  expect(await findPerson(email)).toBeUndefined();
  expect((await call(getAccount, {}, { cookie })).status).toBe(401);
  const { prisma } = await database();
  expect(await prisma.accessKey.count({ where: { workspaceId } })).toBe(0);
  expect(await listWorkspaces(id)).toEqual([]);
  expect((await listAudit({ limit: 5 })).map(({ action }) => action)).toContain("account.deleted");
});

test("a wrong password or a different address deletes nothing and is reported", async () => {
  const { email, remove } = await somebody("staying");
  const wrong = await remove({ email, password: "a guess" });
  expect([wrong.status, wrong.body.details[0].pointer]).toEqual([400, "/password"]);
  const other = await remove({ email: "other@example.com", password: PASSWORD });
  expect([other.status, other.body.details[0].pointer]).toEqual([400, "/email"]);
  expect(await findPerson(email)).toBeDefined();
});

test("a workspace without another owner, with datasets or a paid plan must be settled first", async () => {
  const { id, email, remove, workspaceId } = await somebody("owner");
  const member = (await ensurePerson("member@example.com", ADMINISTRATOR)).userId;
  const shared = await createWorkspace("Shared", id, ADMINISTRATOR);
  await addMember(shared, member, "member", ADMINISTRATOR);
  const { prisma } = await database();
  await prisma.workspace.update({
    where: { id: workspaceId },
    data: { plan: "paid", subscription: "active", stripeSubscriptionId: "sub_1" },
  });
  const refused = await remove({ email, password: PASSWORD });
  expect([refused.status, refused.body.error]).toEqual([409, "conflict"]);
  expect(refused.body.message).toContain("You are the only owner of Shared.");
  expect(refused.body.message).toContain("has a paid subscription. Cancel it under Workspace.");
  await setRole(shared, member, "owner", ADMINISTRATOR);
  await prisma.workspace.update({ where: { id: workspaceId }, data: { subscription: "canceled" } });
  expect((await remove({ email, password: PASSWORD })).status).toBe(200);
  expect((await listWorkspaces(member)).map(({ name }) => name)).toContain("Shared");
});
