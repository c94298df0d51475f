import { expect, test } from "vitest";
import { createKey } from "@/lib/access/use-keys";
import { newToken, tokenHash } from "@/lib/auth/one-time-token";
import { audited, listAudit, OPERATOR } from "@/lib/store/audit";
import { database } from "@/lib/store/database";
import { findIdentity, linkIdentity } from "@/lib/store/identities";
import { acceptInvitation, createInvitation, findInvitation, revokeInvitation } from "@/lib/store/invitations";
import { findKey } from "@/lib/store/keys";
import { addMember, listMembers, removeMember, setRole } from "@/lib/store/members";
import { insertToken, takeToken } from "@/lib/store/one-time-tokens";
import {
  createPerson,
  deletePerson,
  ensurePerson,
  findPassword,
  findPerson,
  setDisabled,
  setPassword,
  verifyEmail,
} from "@/lib/store/people";
import { createSession, findSession, listSessions, revokeAllSessions, type SessionStart } from "@/lib/store/sessions";
import { createWorkspace, findMembership, listWorkspaces, setPlan } from "@/lib/store/workspaces";
import { useTestState } from "@/lib/testing/database";

useTestState();

const NOW = new Date("2026-11-21T12:00:00Z");
const LATER = new Date("2026-12-21T12:00:00Z");

async function person(name: string): Promise<{ id: string; workspaceId: string }> {
  const { userId, workspaceId } = await ensurePerson(`${name}@example.com`, OPERATOR);
  return { id: userId, workspaceId };
}

const session = async (userId: string, start?: SessionStart) =>
  (await createSession({ userId, expiresAt: LATER, browser: "Firefox on Linux", fromHash: null }, start)) ?? "";

const invitation = async (workspaceId: string, invitedById: string, { expiresAt = LATER, most = 100 } = {}) => {
  const hash = tokenHash(newToken()) as Uint8Array<ArrayBuffer>;
  const { id } = await createInvitation(
    { workspaceId, role: "member", email: null, hash, invitedById, expiresAt },
    { most, now: NOW },
    OPERATOR,
  );
  return { id, hash };
};

test("an address is one person with one personal workspace, however many sign up with it at once", async () => {
  const made = await Promise.all(
    Array.from({ length: 8 }, () => createPerson({ email: "once@example.com", passwordHash: "x" }, OPERATOR)),
  );
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await listWorkspaces((await findPerson("once@example.com"))?.id)).toMatchObject([
    { personal: true, role: "owner", members: 1, plan: "free" },
  ]);
});

test("signing up cannot give a password to an account that has none", async () => {
  await person("operators");
  expect(
    await createPerson({ email: "operators@example.com", passwordHash: "the squatter's" }, OPERATOR),
  ).toBeUndefined();
  expect((await findPassword("operators@example.com"))?.passwordHash).toBeNull();
});

test("a new password ends every session but the one it was set in, and the links to set another", async () => {
  const { id } = await person("renew");
  const [one, two] = [await session(id), await session(id)];
  const hash = tokenHash(newToken()) as Uint8Array<ArrayBuffer>;
  await insertToken({ hash, purpose: "reset_password", email: "renew@example.com", userId: id, expiresAt: LATER });
  await setPassword(id, "hash", OPERATOR, one);
  expect((await findSession(one))?.revokedAt).toBeNull();
  expect((await findSession(two))?.revokedAt).toBeInstanceOf(Date);
  expect(await takeToken(hash, "reset_password", NOW)).toBeUndefined();
});

test("a sign-in with the old password that comes at the moment of a change begins no session that outlives it", async () => {
  const { id } = await person("moment of change");
  await setPassword(id, "old", OPERATOR);
  const signIns = Array.from({ length: 6 }, () => session(id, { passwordHash: "old" }));
  await Promise.all([setPassword(id, "new", OPERATOR), ...signIns]);
  expect(await listSessions(id, NOW)).toEqual([]);
  expect(await session(id, { passwordHash: "old" })).toBe("");
  expect(await session(id, { passwordHash: "new" })).not.toBe("");
  await setDisabled(id, true, OPERATOR);
  expect(await session(id)).toBe("");
});

test(
  "whoever took an address that was not theirs loses password, providers, sessions and keys when the address is " +
    "proved",
  async () => {
    await createPerson({ email: "squatted@example.com", passwordHash: "the squatter's" }, OPERATOR);
    const { id, workspaceId } = await person("squatted");
    const sid = await session(id);
    await createKey({ kind: "use", name: "k", workspaceId, userId: id, expiresAt: null }, OPERATOR);
    await linkIdentity({ provider: "github", subject: "the squatter's", userId: id }, OPERATOR);
    await verifyEmail(id, OPERATOR, {});
    expect(await findIdentity("github", "the squatter's")).toBeUndefined();
    expect((await listAudit({ workspaceId, limit: 1 }))[0]).toMatchObject({
      action: "key.revoked",
      details: { reason: "the email address was verified by another account" },
    });
    const { prisma } = await database();
    expect(await prisma.user.findUnique({ where: { id } })).toMatchObject({
      passwordHash: null,
      emailVerified: expect.any(Date),
    });
    expect((await findSession(sid))?.revokedAt).toBeInstanceOf(Date);
    expect(await prisma.accessKey.count({ where: { userId: id, revokedAt: null } })).toBe(0);
    await setPassword(id, "their own", OPERATOR);
    await verifyEmail(id, OPERATOR, {}); // a second proof takes nothing away
    expect((await findPassword("squatted@example.com"))?.passwordHash).toBe("their own");
  },
);

test("a sign-in ends the session that the browser had, and no other; signing out everywhere ends all", async () => {
  const { id } = await person("sessions");
  const first = await session(id);
  const second = await session(id, { replaces: first });
  const other = await session(id);
  expect((await listSessions(id, NOW)).map((entry) => entry.id).sort()).toEqual([second, other].sort());
  expect(await revokeAllSessions(id, OPERATOR)).toBe(2);
  expect(await listSessions(id, NOW)).toEqual([]);
});

test("a person who is shut out has neither sessions nor keys, and has their keys again when let in", async () => {
  const { id, workspaceId } = await person("out");
  const sid = await session(id);
  await createKey({ kind: "use", name: "k", workspaceId, userId: id, expiresAt: null }, OPERATOR);
  const { prisma } = await database();
  const { hash } = await prisma.accessKey.findFirstOrThrow({ where: { userId: id } });
  expect(await setDisabled(id, true, OPERATOR)).toBe(true);
  expect((await findSession(sid))?.revokedAt).toBeInstanceOf(Date);
  expect((await findKey(hash))?.revokedAt).toBeInstanceOf(Date);
  await setDisabled(id, false, OPERATOR);
  expect((await findKey(hash))?.revokedAt).toBeNull();
  expect((await findSession(sid))?.revokedAt).toBeInstanceOf(Date);
});

test("a member who is removed is nobody there at once, and neither are the keys that they made", async () => {
  const [owner, guest] = [await person("host"), await person("guest")];
  const workspaceId = await createWorkspace("Lab", owner.id, OPERATOR);
  await addMember(workspaceId, guest.id, "member", OPERATOR);
  await createKey({ kind: "use", name: "k", workspaceId, userId: guest.id, expiresAt: null }, OPERATOR);
  const { prisma } = await database();
  const { hash, id } = await prisma.accessKey.findFirstOrThrow({ where: { workspaceId } });
  expect((await findKey(hash))?.revokedAt).toBeNull();
  expect(await removeMember(workspaceId, guest.id, OPERATOR)).toBeUndefined();
  expect(await findMembership(guest.id, workspaceId)).toBeUndefined();
  expect((await findKey(hash))?.revokedAt).toBeInstanceOf(Date);
  await prisma.accessKey.update({ where: { id }, data: { revokedAt: null } });
  // the key of a non-member is refused whatever its row says
  expect((await findKey(hash))?.revokedAt).toBeInstanceOf(Date);
});

test("a workspace keeps an owner, however many leave at once", async () => {
  const people = await Promise.all(["o1", "o2", "o3"].map(person));
  const workspaceId = await createWorkspace("Owners", people[0]?.id ?? "", OPERATOR);
  for (const { id } of people.slice(1)) await addMember(workspaceId, id, "owner", OPERATOR);
  const outcomes = await Promise.all(
    people.map(({ id }, at) =>
      at === 1 ? setRole(workspaceId, id, "member", OPERATOR) : removeMember(workspaceId, id, OPERATOR),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === "last_owner")).toHaveLength(1);
  expect((await listMembers(workspaceId)).filter(({ role }) => role === "owner")).toHaveLength(1);
});

test("nobody leaves their personal workspace", async () => {
  const { id, workspaceId } = await person("home");
  expect(await removeMember(workspaceId, id, OPERATOR)).toBe("personal");
});

test("of many who follow one invitation exactly one becomes a member; revoked and old ones are worthless", async () => {
  const host = await person("inviter");
  const guests = await Promise.all(["g1", "g2", "g3", "g4"].map(person));
  const workspaceId = await createWorkspace("Invited", host.id, OPERATOR);
  const { hash } = await invitation(workspaceId, host.id);
  expect(await findInvitation(hash, NOW)).toMatchObject({
    workspaceName: "Invited",
    role: "member",
    invitedBy: "inviter@example.com",
  });
  const accepted = await Promise.all(guests.map(({ id }) => acceptInvitation(hash, id, OPERATOR, NOW)));
  expect(accepted.filter((id) => id === workspaceId)).toHaveLength(1);
  expect(await listMembers(workspaceId)).toHaveLength(2);

  const revoked = await invitation(workspaceId, host.id);
  expect(await revokeInvitation(host.workspaceId, revoked.id, OPERATOR)).toBe(false); // another workspace's
  expect(await revokeInvitation(workspaceId, revoked.id, OPERATOR)).toBe(true);
  const old = await invitation(workspaceId, host.id, { expiresAt: NOW });
  for (const worthless of [revoked, old])
    expect(await acceptInvitation(worthless.hash, guests[0]?.id ?? "", OPERATOR, NOW)).toBeUndefined();
});

test.each(["removed", "demoted", "shut out", "deleted"])(
  "an invitation of an owner who is %s is worth nothing",
  async (how) => {
    const [host, leaving, guest] = [
      await person(`stays ${how}`),
      await person(`maker ${how}`),
      await person(`invited ${how}`),
    ];
    const workspaceId = await createWorkspace("Changing", host.id, OPERATOR);
    await addMember(workspaceId, leaving.id, "owner", OPERATOR);
    const { id, hash } = await invitation(workspaceId, leaving.id);
    const others = await invitation(workspaceId, host.id);
    if (how === "removed") await removeMember(workspaceId, leaving.id, OPERATOR);
    if (how === "demoted") await setRole(workspaceId, leaving.id, "member", OPERATOR);
    if (how === "shut out") await setDisabled(leaving.id, true, OPERATOR);
    if (how === "deleted") await deletePerson(leaving.id, OPERATOR);
    expect(await findInvitation(hash, NOW)).toBeUndefined();
    expect(await acceptInvitation(hash, guest.id, OPERATOR, NOW)).toBeUndefined();
    expect(await listAudit({ workspaceId, limit: 3 })).toContainEqual(
      expect.objectContaining({ action: "member.invitation_revoked", subject: id }),
    );
    expect(await acceptInvitation(others.hash, guest.id, OPERATOR, NOW)).toBe(workspaceId);
  },
);

test("who was removed or demoted a moment ago makes neither key nor invitation", async () => {
  const [host, gone, demoted] = [
    await person("a moment"),
    await person("removed in it"),
    await person("demoted in it"),
  ];
  const workspaceId = await createWorkspace("Moment", host.id, OPERATOR);
  for (const { id } of [gone, demoted]) await addMember(workspaceId, id, "owner", OPERATOR);
  await removeMember(workspaceId, gone.id, OPERATOR);
  await setRole(workspaceId, demoted.id, "member", OPERATOR);
  await expect(
    createKey({ kind: "use", name: "late", workspaceId, userId: gone.id, expiresAt: null }, OPERATOR),
  ).rejects.toThrow("Not found");
  for (const { id } of [gone, demoted]) await expect(invitation(workspaceId, id)).rejects.toThrow("Only an owner");
});

test("keys, invitations and workspaces stay within their number, however many are made at once", async () => {
  const { id, workspaceId } = await person("many");
  const made = async (make: () => Promise<unknown>) =>
    (await Promise.allSettled(Array.from({ length: 8 }, make))).filter(({ status }) => status === "fulfilled").length;
  expect(
    await made(() =>
      createKey({ kind: "use", name: "k", workspaceId, userId: id, expiresAt: null, most: 3 }, OPERATOR),
    ),
  ).toBe(3);
  expect(await made(() => invitation(workspaceId, id, { most: 3 }))).toBe(3);
  expect(await made(() => createWorkspace("one of many", id, OPERATOR, 3))).toBe(2); // beside the personal one
});

test("a link is good once and for a while, for its own purpose", async () => {
  const { id } = await person("links");
  const hash = tokenHash(newToken()) as Uint8Array<ArrayBuffer>;
  await insertToken({ hash, purpose: "verify_email", email: "links@example.com", userId: id, expiresAt: LATER });
  expect(await takeToken(hash, "reset_password", NOW)).toBeUndefined();
  const taken = await Promise.all(Array.from({ length: 5 }, () => takeToken(hash, "verify_email", NOW)));
  expect(taken.filter(Boolean)).toHaveLength(1);
  await insertToken({ hash, purpose: "verify_email", email: "links@example.com", userId: id, expiresAt: LATER });
  expect(await takeToken(hash, "verify_email", LATER)).toBeUndefined();
});

test("a deleted person leaves no workspace of their own behind, and a shared one to its other owner", async () => {
  const [gone, stays] = [await person("gone"), await person("stays")];
  const shared = await createWorkspace("Shared", gone.id, OPERATOR);
  await addMember(shared, stays.id, "owner", OPERATOR);
  expect(await deletePerson(gone.id, OPERATOR)).toBe(true);
  expect(await findPerson("gone@example.com")).toBeUndefined();
  expect((await listWorkspaces()).filter(({ id }) => id === gone.workspaceId)).toEqual([]);
  expect(await listMembers(shared)).toMatchObject([{ email: "stays@example.com" }]);
  expect((await listAudit({ workspaceId: shared, limit: 1 }))[0]).toMatchObject({
    action: "member.removed",
    subject: gone.id,
  });
});

test("a change and its entry in the audit log are made together or not at all, and the log is only ever added to", async () => {
  const { workspaceId } = await person("audited");
  await setPlan(workspaceId, { plan: "paid", subscription: "active" }, OPERATOR);
  const [entry] = await listAudit({ workspaceId, limit: 1 });
  expect(entry).toMatchObject({
    action: "plan.changed",
    actor: "operator",
    workspaceId,
    details: { from: { plan: "free", subscription: null }, to: { plan: "paid", subscription: "active" } },
  });
  const failing = audited(OPERATOR, async (transaction, note) => {
    await transaction.workspace.update({ where: { id: workspaceId }, data: { name: "changed" } });
    note({ action: "workspace.renamed", workspaceId });
    throw new Error("half-way");
  });
  await expect(failing).rejects.toThrow("half-way");
  expect(await listAudit({ workspaceId, limit: 1 })).toEqual([entry]);
  const { pool } = await database();
  await expect(pool.query(`DELETE FROM "AuditEvent"`)).rejects.toThrow("only ever added to");
  await expect(pool.query(`UPDATE "AuditEvent" SET action = 'x'`)).rejects.toThrow("only ever added to");
});

test("paging through the audit log tells of every entry once, those of one transaction too", async () => {
  const { id, workspaceId } = await person("pages");
  for (let n = 0; n < 7; n++)
    await createKey({ kind: "use", name: `k${n}`, workspaceId, userId: id, expiresAt: null }, OPERATOR);
  await deletePerson(id, OPERATOR);
  const seen: string[] = [];
  let before: { at: Date; id: string } | undefined;
  for (;;) {
    const page = await listAudit({ workspaceId, limit: 3, before });
    if (page.length === 0) break;
    seen.push(...page.map((entry) => entry.id));
    before = page.at(-1);
  }
  expect(seen).toHaveLength(15); // the workspace, and seven keys made and revoked
  expect(new Set(seen).size).toBe(15);
});
