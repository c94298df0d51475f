import { type AuditLog, type Author, audited, type Transaction } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import type { Passkey } from "@/prisma/generated/client";

export type { Passkey };

/** A person's passkeys, the oldest first. */
export async function listPasskeys(userId: string): Promise<Passkey[]> {
  const { prisma } = await database();
  return prisma.passkey.findMany({ where: { userId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
}

/** How many of a person's recovery codes have not been used. */
export async function countRecoveryCodes(userId: string): Promise<number> {
  const { prisma } = await database();
  return prisma.recoveryCode.count({ where: { userId, usedAt: null } });
}

export type NewPasskey = Pick<Passkey, "credentialId" | "userId" | "name" | "publicKey" | "counter" | "transports">;

/** Why a passkey was not added. */
export type PasskeyRejection = "taken" | "too_many";

/**
 * Adds a passkey, at most `most` for a person. With the first one, `codes` become the person's recovery codes; they are
 * not stored otherwise. Returns whether it is the first, or why it was rejected.
 */
export async function addPasskey(
  passkey: NewPasskey,
  { codes, most }: { codes: readonly Uint8Array<ArrayBuffer>[]; most: number },
  author: Author,
): Promise<{ isFirst: boolean } | PasskeyRejection> {
  const { userId, name } = passkey;
  return audited(author, async (transaction, audit) => {
    await lockPerson(transaction, userId);
    const used = await transaction.passkey.count({ where: { userId } });
    if (used >= most) return "too_many";
    const { count } = await transaction.passkey.createMany({ data: [passkey], skipDuplicates: true });
    if (count === 0) return "taken";
    audit({ action: "account.passkey_added", subject: userId, details: { name } });
    if (used === 0) await replaceCodes(transaction, audit, userId, codes);
    return { isFirst: used === 0 };
  });
}

/**
 * Removes a passkey; with the last one the recovery codes, and the sessions that wait for one, end too. Returns its
 * name; undefined if the person has none with this id.
 */
export async function removePasskey(userId: string, id: string, author: Author): Promise<string | undefined> {
  return audited(author, async (transaction, audit) => {
    await lockPerson(transaction, userId);
    const [removed] = await transaction.passkey.findMany({ where: { id, userId }, select: { name: true } });
    if (!removed) return undefined;
    await transaction.passkey.deleteMany({ where: { id, userId } });
    audit({ action: "account.passkey_removed", subject: userId, details: { name: removed.name } });
    if ((await transaction.passkey.count({ where: { userId } })) === 0) await endSecondFactor(transaction, userId);
    return removed.name;
  });
}

/** Removes all passkeys of a person who has lost them; returns their number. */
export async function removeAllPasskeys(userId: string, author: Author): Promise<number> {
  return audited(author, async (transaction, audit) => {
    await lockPerson(transaction, userId);
    const { count } = await transaction.passkey.deleteMany({ where: { userId } });
    audit({ action: "account.passkey_removed", subject: userId, details: { passkeys: count } });
    await endSecondFactor(transaction, userId);
    return count;
  });
}

/** What is meaningless without passkeys: recovery codes, and sessions that wait for the second step. */
export async function endSecondFactor(transaction: Transaction, userId: string): Promise<void> {
  await transaction.recoveryCode.deleteMany({ where: { userId } });
  await transaction.session.updateMany({
    where: { userId, stepDue: true, revokedAt: null },
    data: { revokedAt: new Date() },
  });
}

/** Replaces a person's recovery codes; false if they have no passkey. */
export async function replaceRecoveryCodes(
  userId: string,
  codes: readonly Uint8Array<ArrayBuffer>[],
  author: Author,
): Promise<boolean> {
  return audited(author, async (transaction, audit) => {
    await lockPerson(transaction, userId);
    if ((await transaction.passkey.count({ where: { userId } })) === 0) return false;
    await replaceCodes(transaction, audit, userId, codes);
    return true;
  });
}

async function replaceCodes(
  transaction: Transaction,
  audit: AuditLog,
  userId: string,
  codes: readonly Uint8Array<ArrayBuffer>[],
): Promise<void> {
  await transaction.recoveryCode.deleteMany({ where: { userId } });
  await transaction.recoveryCode.createMany({ data: codes.map((hash) => ({ hash, userId })) });
  audit({ action: "account.recovery_codes_made", subject: userId, details: { codes: codes.length } });
}

/** Sign-ins, and changes of a person's passkeys, follow each other. */
async function lockPerson(transaction: Transaction, userId: string): Promise<void> {
  await transaction.$queryRaw`SELECT id FROM "User" WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
}

/** Stores the challenge that the next answer of a session's authenticator must contain, instead of any earlier one. */
export async function setChallenge(sessionId: string, challenge: string, until: Date): Promise<void> {
  const { prisma } = await database();
  await prisma.session.update({ where: { id: sessionId }, data: { challenge, challengeUntil: until } });
}

/** Takes a session's challenge, which can be taken once; undefined if there is none, or it has expired. */
export async function takeChallenge(sessionId: string, now: Date): Promise<string | undefined> {
  const { pool } = await database();
  const { rows } = await pool.query<{ challenge: string; isLive: boolean }>(
    `WITH taken AS (SELECT id, challenge, "challengeUntil" FROM "Session" WHERE id = $1::uuid FOR UPDATE)
    UPDATE "Session" s SET challenge = NULL, "challengeUntil" = NULL FROM taken t
      WHERE s.id = t.id AND t.challenge IS NOT NULL RETURNING t.challenge, t."challengeUntil" > $2 AS "isLive"`,
    [sessionId, now],
  );
  return rows[0]?.isLive ? rows[0].challenge : undefined;
}

interface Confirmation {
  sessionId: string;
  userId: string;
  at: Date;
}

/** The second step of a sign-in with a passkey, whose counter is stored; false if the passkey was removed. */
export async function confirmWithPasskey(
  { sessionId, userId, at }: Confirmation,
  passkey: { id: string; counter: bigint },
  author: Author,
): Promise<boolean> {
  return audited(author, async (transaction, audit) => {
    const used = await transaction.passkey.updateManyAndReturn({
      // a counter that has not grown belongs to a copy; authenticators without one always send 0
      where: { id: passkey.id, userId, OR: [{ counter: { lt: passkey.counter } }, { counter: 0n }] },
      data: { counter: passkey.counter, lastUsedAt: at },
      select: { name: true },
    });
    const [{ name } = { name: "" }] = used;
    if (used.length === 0) return false;
    await confirm(transaction, { sessionId, userId, at });
    audit({ action: "session.confirmed", subject: userId, details: { passkey: name } });
    return true;
  });
}

/** The same with a recovery code, which works once; returns how many are left, undefined for a wrong or used one. */
export async function confirmWithRecoveryCode(
  confirmation: Confirmation,
  hash: Uint8Array<ArrayBuffer>,
  author: Author,
): Promise<number | undefined> {
  const { userId, at } = confirmation;
  return audited(author, async (transaction, audit) => {
    const { count } = await transaction.recoveryCode.updateMany({
      where: { hash, userId, usedAt: null },
      data: { usedAt: at },
    });
    if (count === 0) return undefined;
    const left = await transaction.recoveryCode.count({ where: { userId, usedAt: null } });
    await confirm(transaction, confirmation);
    audit({ action: "account.recovery_code_used", subject: userId, details: { left } });
    return left;
  });
}

async function confirm(transaction: Transaction, { sessionId, userId, at }: Confirmation): Promise<void> {
  await transaction.session.updateMany({ where: { id: sessionId, userId }, data: { stepDue: false, provedAt: at } });
}

/** Records that the person has just proved who they are, with their password. */
export async function recordProof(sessionId: string, at: Date): Promise<void> {
  const { prisma } = await database();
  await prisma.session.update({ where: { id: sessionId }, data: { provedAt: at } });
}
