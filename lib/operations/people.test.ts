import { expect, test } from "vitest";
import { createKey } from "@/lib/access/use-keys";
import { newToken, tokenHash } from "@/lib/auth/one-time-token";
import { ADMINISTRATOR, listAudit } from "@/lib/store/audit";
import { findIdentity, linkIdentity } from "@/lib/store/people/identities";
import { acceptInvitation, createInvitation, findInvitation, revokeInvitation } from "@/lib/store/people/invitations";
import { findKey } from "@/lib/store/people/keys";
import { addMember, listMembers, removeMember, setRole } from "@/lib/store/people/members";
import { insertToken, takeToken } from "@/lib/store/people/one-time-tokens";
import {
  createPerson,
  deletePerson,
  ensurePerson,
  findPassword,
  findPerson,
  setDisabled,
  setPassword,
  verifyEmail,
} from "@/lib/store/people/people";
import {
  createSession,
  findSession,
  listSessions,
  revokeAllSessions,
  type SessionStart,
} from "@/lib/store/people/sessions";
import { createWorkspace, findMembership, listWorkspaces } from "@/lib/store/people/workspaces";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";

useTestState();

const NOW = new Date("2026-11-21T12:00:00Z");
const LATER = new Date("2026-12-21T12:00:00Z");

async function person(name: string): Promise<{ id: string; workspaceId: string }> {
  const { userId, workspaceId } = await ensurePerson(`${name}@example.com`, ADMINISTRATOR);
  return { id: userId, workspaceId };
}

const session = async (userId: string, start?: SessionStart) =>
  (await createSession({ userId, expiresAt: LATER, browser: "Firefox on Linux", fromHash: null }, start)) ?? "";

const invitation = async (workspaceId: string, invitedById: string, { expiresAt = LATER, most = 100 } = {}) => {
  const hash = tokenHash(newToken()) as Uint8Array<ArrayBuffer>;
  const { id } = await createInvitation(
    { workspaceId, role: "member", email: null, hash, invitedById, expiresAt },
    { most, now: NOW },
    ADMINISTRATOR,
  );
  return { id, hash };
};

test("concurrent sign-ups with one address create one person with one personal workspace", async () => {
  const made = await Promise.all(
    Array.from({ length: 8 }, () => createPerson({ email: "once@example.com", passwordHash: "x" }, ADMINISTRATOR)),
  );
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await listWorkspaces((await findPerson("once@example.com"))?.id)).toMatchObject([
    { personal: true, role: "owner", members: 1, plan: "free" },
  ]);
});

test("signing up cannot give a password to an account that has none", async () => {
  await person("operators");
  expect(
    await createPerson({ email: "operators@example.com", passwordHash: "the squatter's" }, ADMINISTRATOR),
  ).toBeUndefined();
  expect((await findPassword("operators@example.com"))?.passwordHash).toBeNull();
});

test("a new password ends every other session, and all reset links", async () => {
  const { id } = await person("renew");
  const [one, two] = [await session(id), await session(id)];
  const hash = tokenHash(newToken()) as Uint8Array<ArrayBuffer>;
  await insertToken({ hash, purpose: "reset_password", email: "renew@example.com", userId: id, expiresAt: LATER });
  await setPassword(id, "hash", ADMINISTRATOR, one);
  expect((await findSession(one))?.revokedAt).toBeNull();
  expect((await findSession(two))?.revokedAt).toBeInstanceOf(Date);
  expect(await takeToken(hash, "reset_password", NOW)).toBeUndefined();
});

test("a concurrent sign-in with the old password leaves no session after the change", async () => {
  const { id } = await person("moment of change");
  await setPassword(id, "old", ADMINISTRATOR);
  const signIns = Array.from({ length: 6 }, () => session(id, { passwordHash: "old" }));
  await Promise.all([setPassword(id, "new", ADMINISTRATOR), ...signIns]);
  expect(await listSessions(id, NOW)).toEqual([]);
  expect(await session(id, { passwordHash: "old" })).toBe("");
  expect(await session(id, { passwordHash: "new" })).not.toBe("");
  await setDisabled(id, true, ADMINISTRATOR);
  expect(await session(id)).toBe("");
});

test("a subject that another issuer of the same provider named is not taken for the account", async () => {
  await createPerson({ email: "subject@example.com" }, ADMINISTRATOR);
  const { id: userId } = await person("subject");
  const linked = { provider: "acme", subject: "1", issuer: "https://one.example.com", userId };
  await linkIdentity(linked, ADMINISTRATOR);
  expect((await findIdentity("acme", "1", "https://one.example.com"))?.id).toBe(userId);
  for (const other of ["https://two.example.com", undefined])
    await expect(findIdentity("acme", "1", other)).rejects.toThrow("unexpected issuer");
});

test("confirming an address removes a squatter's password, providers, sessions and keys", async () => {
  await createPerson({ email: "squatted@example.com", passwordHash: "the squatter's" }, ADMINISTRATOR);
  const { id, workspaceId } = await person("squatted");
  const sid = await session(id);
  await createKey({ kind: "use", name: "k", workspaceId, userId: id, expiresAt: null }, ADMINISTRATOR);
  await linkIdentity({ provider: "github", subject: "the squatter's", issuer: undefined, userId: id }, ADMINISTRATOR);
  await verifyEmail(id, ADMINISTRATOR, {});
  expect(await findIdentity("github", "the squatter's", undefined)).toBeUndefined();
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
  await setPassword(id, "their own", ADMINISTRATOR);
  await verifyEmail(id, ADMINISTRATOR, {}); // a second verification takes nothing away
  expect((await findPassword("squatted@example.com"))?.passwordHash).toBe("their own");
});

test("a sign-in ends the browser's previous session only; signing out everywhere ends all", async () => {
  const { id } = await person("sessions");
  const first = await session(id);
  const second = await session(id, { replaces: first });
  const other = await session(id);
  expect((await listSessions(id, NOW)).map((entry) => entry.id).sort()).toEqual([second, other].sort());
  expect(await revokeAllSessions(id, ADMINISTRATOR)).toBe(2);
  expect(await listSessions(id, NOW)).toEqual([]);
});

test("a disabled person has neither sessions nor working keys; enabling restores the keys", async () => {
  const { id, workspaceId } = await person("out");
  const sid = await session(id);
  await createKey({ kind: "use", name: "k", workspaceId, userId: id, expiresAt: null }, ADMINISTRATOR);
  const { prisma } = await database();
  const { hash } = await prisma.accessKey.findFirstOrThrow({ where: { userId: id } });
  expect(await setDisabled(id, true, ADMINISTRATOR)).toBe(true);
  expect((await findSession(sid))?.revokedAt).toBeInstanceOf(Date);
  expect((await findKey(hash))?.revokedAt).toBeInstanceOf(Date);
  await setDisabled(id, false, ADMINISTRATOR);
  expect((await findKey(hash))?.revokedAt).toBeNull();
  expect((await findSession(sid))?.revokedAt).toBeInstanceOf(Date);
});

test("a removed member loses access at once, as do the keys they created", async () => {
  const [owner, guest] = [await person("host"), await person("guest")];
  const workspaceId = await createWorkspace("Lab", owner.id, ADMINISTRATOR);
  await addMember(workspaceId, guest.id, "member", ADMINISTRATOR);
  await createKey({ kind: "use", name: "k", workspaceId, userId: guest.id, expiresAt: null }, ADMINISTRATOR);
  const { prisma } = await database();
  const { hash, id } = await prisma.accessKey.findFirstOrThrow({ where: { workspaceId } });
  expect((await findKey(hash))?.revokedAt).toBeNull();
  expect(await removeMember(workspaceId, guest.id, ADMINISTRATOR)).toBeUndefined();
  expect(await findMembership(guest.id, workspaceId)).toBeUndefined();
  expect((await findKey(hash))?.revokedAt).toBeInstanceOf(Date);
  await prisma.accessKey.update({ where: { id }, data: { revokedAt: null } });
  // the key of a non-member is rejected whatever its row says
  expect((await findKey(hash))?.revokedAt).toBeInstanceOf(Date);
});

test("a workspace keeps an owner, however many leave concurrently", async () => {
  const people = await Promise.all(["o1", "o2", "o3"].map(person));
  const workspaceId = await createWorkspace("Owners", people[0]?.id ?? "", ADMINISTRATOR);
  for (const { id } of people.slice(1)) await addMember(workspaceId, id, "owner", ADMINISTRATOR);
  const outcomes = await Promise.all(
    people.map(({ id }, at) =>
      at === 1 ? setRole(workspaceId, id, "member", ADMINISTRATOR) : removeMember(workspaceId, id, ADMINISTRATOR),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === "last_owner")).toHaveLength(1);
  expect((await listMembers(workspaceId)).filter(({ role }) => role === "owner")).toHaveLength(1);
});

test("nobody can leave their personal workspace", async () => {
  const { id, workspaceId } = await person("home");
  expect(await removeMember(workspaceId, id, ADMINISTRATOR)).toBe("personal");
});

test("one invitation admits exactly one member; revoked and expired ones admit none", async () => {
  const host = await person("inviter");
  const guests = await Promise.all(["g1", "g2", "g3", "g4"].map(person));
  const workspaceId = await createWorkspace("Invited", host.id, ADMINISTRATOR);
  const { hash } = await invitation(workspaceId, host.id);
  expect(await findInvitation(hash, NOW)).toMatchObject({
    workspaceName: "Invited",
    role: "member",
    invitedBy: "inviter@example.com",
  });
  const accepted = await Promise.all(guests.map(({ id }) => acceptInvitation(hash, id, ADMINISTRATOR, NOW)));
  expect(accepted.filter((id) => id === workspaceId)).toHaveLength(1);
  expect(await listMembers(workspaceId)).toHaveLength(2);

  const revoked = await invitation(workspaceId, host.id);
  expect(await revokeInvitation(host.workspaceId, revoked.id, ADMINISTRATOR)).toBe(false); // another workspace's
  expect(await revokeInvitation(workspaceId, revoked.id, ADMINISTRATOR)).toBe(true);
  const old = await invitation(workspaceId, host.id, { expiresAt: NOW });
  for (const worthless of [revoked, old])
    expect(await acceptInvitation(worthless.hash, guests[0]?.id ?? "", ADMINISTRATOR, NOW)).toBeUndefined();
});

test.each(["removed", "demoted", "shut out", "deleted"])(
  "an invitation by an owner who is %s is invalid",
  async (how) => {
    const [host, leaving, guest] = [
      await person(`stays ${how}`),
      await person(`maker ${how}`),
      await person(`invited ${how}`),
    ];
    const workspaceId = await createWorkspace("Changing", host.id, ADMINISTRATOR);
    await addMember(workspaceId, leaving.id, "owner", ADMINISTRATOR);
    const { id, hash } = await invitation(workspaceId, leaving.id);
    const others = await invitation(workspaceId, host.id);
    if (how === "removed") await removeMember(workspaceId, leaving.id, ADMINISTRATOR);
    if (how === "demoted") await setRole(workspaceId, leaving.id, "member", ADMINISTRATOR);
    if (how === "shut out") await setDisabled(leaving.id, true, ADMINISTRATOR);
    if (how === "deleted") await deletePerson(leaving.id, ADMINISTRATOR);
    expect(await findInvitation(hash, NOW)).toBeUndefined();
    expect(await acceptInvitation(hash, guest.id, ADMINISTRATOR, NOW)).toBeUndefined();
    expect(await listAudit({ workspaceId, limit: 3 })).toContainEqual(
      expect.objectContaining({ action: "member.invitation_revoked", subject: id }),
    );
    expect(await acceptInvitation(others.hash, guest.id, ADMINISTRATOR, NOW)).toBe(workspaceId);
  },
);

test("a member just removed or demoted can create neither key nor invitation", async () => {
  const [host, gone, demoted] = [
    await person("a moment"),
    await person("removed in it"),
    await person("demoted in it"),
  ];
  const workspaceId = await createWorkspace("Moment", host.id, ADMINISTRATOR);
  for (const { id } of [gone, demoted]) await addMember(workspaceId, id, "owner", ADMINISTRATOR);
  await removeMember(workspaceId, gone.id, ADMINISTRATOR);
  await setRole(workspaceId, demoted.id, "member", ADMINISTRATOR);
  await expect(
    createKey({ kind: "use", name: "late", workspaceId, userId: gone.id, expiresAt: null }, ADMINISTRATOR),
  ).rejects.toThrow("Not found");
  for (const { id } of [gone, demoted]) await expect(invitation(workspaceId, id)).rejects.toThrow("Only an owner");
});

test("limits on keys, invitations and workspaces hold under concurrency", async () => {
  const { id, workspaceId } = await person("many");
  const made = async (make: () => Promise<unknown>) =>
    (await Promise.allSettled(Array.from({ length: 8 }, make))).filter(({ status }) => status === "fulfilled").length;
  expect(
    await made(() =>
      createKey({ kind: "use", name: "k", workspaceId, userId: id, expiresAt: null, most: 3 }, ADMINISTRATOR),
    ),
  ).toBe(3);
  expect(await made(() => invitation(workspaceId, id, { most: 3 }))).toBe(3);
  expect(await made(() => createWorkspace("one of many", id, ADMINISTRATOR, 3))).toBe(2); // besides the personal one
});

test("a link works once, until it expires, and for its own purpose", async () => {
  const { id } = await person("links");
  const hash = tokenHash(newToken()) as Uint8Array<ArrayBuffer>;
  await insertToken({ hash, purpose: "verify_email", email: "links@example.com", userId: id, expiresAt: LATER });
  expect(await takeToken(hash, "reset_password", NOW)).toBeUndefined();
  const taken = await Promise.all(Array.from({ length: 5 }, () => takeToken(hash, "verify_email", NOW)));
  expect(taken.filter(Boolean)).toHaveLength(1);
  await insertToken({ hash, purpose: "verify_email", email: "links@example.com", userId: id, expiresAt: LATER });
  expect(await takeToken(hash, "verify_email", LATER)).toBeUndefined();
});

test("deleting a person deletes their own workspaces and leaves shared ones to other owners", async () => {
  const [gone, stays] = [await person("gone"), await person("stays")];
  const shared = await createWorkspace("Shared", gone.id, ADMINISTRATOR);
  await addMember(shared, stays.id, "owner", ADMINISTRATOR);
  expect(await deletePerson(gone.id, ADMINISTRATOR)).toBe(true);
  expect(await findPerson("gone@example.com")).toBeUndefined();
  expect((await listWorkspaces()).filter(({ id }) => id === gone.workspaceId)).toEqual([]);
  expect(await listMembers(shared)).toMatchObject([{ email: "stays@example.com" }]);
  expect((await listAudit({ workspaceId: shared, limit: 1 }))[0]).toMatchObject({
    action: "member.removed",
    subject: gone.id,
  });
});
