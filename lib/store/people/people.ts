import { env } from "@/lib/kernel/env";
import { type AuditLog, type Author, audited, type Transaction } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import type { User } from "@/prisma/generated/client";
import { revokeConnectionsOf } from "./agent-connections";
import { revokeInvitationsOf } from "./invitations";
import { revokeKeysOf } from "./keys";
import { endSecondFactor } from "./passkeys";

export type Person = Omit<User, "passwordHash">;

const NO_PASSWORD = { passwordHash: true } as const;

/** The person with this address (lower case), or undefined. */
export async function findPerson(email: string): Promise<Person | undefined> {
  const { prisma } = await database();
  return (await prisma.user.findUnique({ where: { email }, omit: NO_PASSWORD })) ?? undefined;
}

export async function findPersonById(id: string): Promise<Person | undefined> {
  const { prisma } = await database();
  return (await prisma.user.findUnique({ where: { id }, omit: NO_PASSWORD })) ?? undefined;
}

/** Everybody with an account, by email address; for the administrator. */
export async function listPeople(): Promise<(Person & { keys: number; workspaces: number })[]> {
  const { prisma } = await database();
  const people = await prisma.user.findMany({
    orderBy: { email: "asc" },
    omit: NO_PASSWORD,
    include: { _count: { select: { keys: true, memberships: true } } },
  });
  return people.map(({ _count, ...person }) => ({ ...person, keys: _count.keys, workspaces: _count.memberships }));
}

/** The data that a password is checked against; none is valid where only other services sign people in. */
export async function findPassword(
  email: string,
): Promise<{ person: Person; passwordHash: string | null } | undefined> {
  const { prisma } = await database();
  const user = await prisma.user.findUnique({ where: { email } });
  if (!user) return undefined;
  const { passwordHash, ...person } = user;
  return { person, passwordHash: env().SIGN_IN_PROVIDERS_ONLY ? null : passwordHash };
}

export interface NewPerson {
  email: string;
  name?: string | null;
  image?: string | null;
  passwordHash?: string | null;
  emailVerified?: Date | null;
}

/**
 * Creates a person with a personal workspace; undefined if the email address is already in use, even by a simultaneous
 * sign-up.
 */
export async function createPerson(person: NewPerson, author: Author): Promise<Person | undefined> {
  return audited(author, async (transaction, audit) => {
    const [created] = await transaction.user.createManyAndReturn({
      data: [person],
      skipDuplicates: true,
      omit: NO_PASSWORD,
    });
    if (!created) return undefined;
    const workspace = await createPersonalWorkspace(transaction, created);
    const userId = author.actor === "person" ? created.id : undefined;
    audit({ action: "account.created", subject: created.id, details: { email: created.email }, userId });
    audit({
      action: "workspace.created",
      workspaceId: workspace,
      subject: workspace,
      details: { personal: true },
      userId,
    });
    return created;
  });
}

async function createPersonalWorkspace(transaction: Transaction, { id, email, name }: Person): Promise<string> {
  const workspace = await transaction.workspace.create({
    data: { name: name?.trim() || email, personal: true, memberships: { create: { userId: id, role: "owner" } } },
    select: { id: true },
  });
  return workspace.id;
}

/** The person's personal workspace; person and workspace are created if missing. */
export async function ensurePerson(email: string, author: Author): Promise<{ userId: string; workspaceId: string }> {
  await createPerson({ email }, author); // creates nobody if the address is known
  const { prisma } = await database();
  const user = await prisma.user.findUniqueOrThrow({
    where: { email },
    include: { memberships: { where: { workspace: { personal: true } } } },
  });
  const workspaceId = user.memberships[0]?.workspaceId;
  if (!workspaceId) throw new Error(`${email} does not have a personal workspace`);
  return { userId: user.id, workspaceId };
}

export async function renamePerson(userId: string, name: string | null, author: Author): Promise<void> {
  await audited(author, async (transaction, audit) => {
    await transaction.user.update({ where: { id: userId }, data: { name } });
    audit({ action: "account.renamed", subject: userId });
  });
}

/** Sets a password and ends every session except `exceptSession`: anyone who knew the old one is signed out. */
export async function setPassword(
  userId: string,
  passwordHash: string,
  author: Author,
  exceptSession?: string,
): Promise<void> {
  await audited(author, async (transaction, audit) => {
    await transaction.user.update({ where: { id: userId }, data: { passwordHash } });
    await revokeSessionsIn(transaction, userId, exceptSession);
    await transaction.oneTimeToken.deleteMany({ where: { userId, purpose: "reset_password" } });
    audit({ action: "account.password_set", subject: userId });
  });
}

/**
 * Records that the address belongs to the person. If somebody else may have claimed it before (with a password set
 * before the address was verified), everything they had ends: password, linked providers, passkeys, sessions, keys,
 * agents, devices and invitations. `provenHash` is the hash of a password that was sent with the proof, which remains.
 */
export async function verifyEmail(
  userId: string,
  author: Author,
  { provenHash }: { provenHash?: string | undefined },
): Promise<void> {
  await audited(author, async (transaction, audit) => {
    const { count } = await transaction.user.updateMany({
      where: { id: userId, emailVerified: null },
      data: { emailVerified: new Date() },
    });
    if (count === 0) return;
    // in SQL, null does not compare as unequal
    const unproven = provenHash === undefined ? { not: null } : { not: provenHash };
    const { count: ended } = await transaction.user.updateMany({
      where: { id: userId, passwordHash: unproven },
      data: { passwordHash: null },
    });
    const squatted = ended > 0;
    audit({
      action: "account.email_verified",
      subject: userId,
      ...(squatted && { details: { ended: ["password", "identities", "passkeys", "sessions", "keys"] } }),
    });
    if (squatted) await evict(transaction, audit, userId);
  });
}

/** Removes everything else that could let somebody back in. */
async function evict(transaction: Transaction, audit: AuditLog, userId: string): Promise<void> {
  const reason = "the email address was verified by another account";
  await transaction.identity.deleteMany({ where: { userId } });
  await transaction.passkey.deleteMany({ where: { userId } });
  await endSecondFactor(transaction, userId);
  await revokeSessionsIn(transaction, userId);
  await revokeKeysOf(transaction, audit, { userId }, reason);
  await revokeConnectionsOf(transaction, audit, { userId }, reason);
  await revokeInvitationsOf(transaction, audit, { userId }, reason);
}

async function revokeSessionsIn(transaction: Transaction, userId: string, exceptSession?: string): Promise<void> {
  await transaction.session.updateMany({
    where: { userId, revokedAt: null, ...(exceptSession && { id: { not: exceptSession } }) },
    data: { revokedAt: new Date() },
  });
}

/**
 * Disables a person (sessions end, keys are rejected, their invitations are revoked) or enables them again; false if
 * nothing changed.
 */
export async function setDisabled(userId: string, disabled: boolean, author: Author): Promise<boolean> {
  return audited(author, async (transaction, audit) => {
    const where = { id: userId, disabledAt: disabled ? null : { not: null } };
    const { count } = await transaction.user.updateMany({ where, data: { disabledAt: disabled ? new Date() : null } });
    if (count === 0) return false;
    audit({ action: disabled ? "account.disabled" : "account.enabled", subject: userId });
    if (disabled) await revokeSessionsIn(transaction, userId);
    if (disabled) await revokeInvitationsOf(transaction, audit, { userId }, "account disabled");
    return true;
  });
}

/**
 * Deletes a person and the workspaces that have no other member; revokes their keys and invitations in other
 * workspaces. False if there is no such person.
 */
export async function deletePerson(userId: string, author: Author): Promise<boolean> {
  return audited(author, async (transaction, audit) => {
    // Anyone who creates a key for the person at this moment waits, and then fails: the key would outlive them as one
    // of the workspace's own.
    const found = await transaction.$queryRaw<unknown[]>`SELECT id FROM "User" WHERE id = ${userId}::uuid FOR UPDATE`;
    if (found.length === 0) return false;
    const reason = "account deleted";
    await revokeKeysOf(transaction, audit, { userId }, reason);
    await revokeConnectionsOf(transaction, audit, { userId }, reason);
    await revokeInvitationsOf(transaction, audit, { userId }, reason);
    const alone = { memberships: { every: { userId }, some: {} }, datasets: { none: {} } };
    const workspaces = (await transaction.workspace.findMany({ where: alone, select: { id: true } })).map(
      ({ id }) => id,
    );
    await transaction.workspace.deleteMany({ where: { id: { in: workspaces } } });
    for (const { workspaceId } of await transaction.membership.findMany({ where: { userId } }))
      audit({ action: "member.removed", workspaceId, subject: userId, details: { reason } });
    await transaction.user.delete({ where: { id: userId } });
    audit({ action: "account.deleted", subject: userId, details: { workspaces } });
    return true;
  });
}
