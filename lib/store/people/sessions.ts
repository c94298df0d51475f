import { type Author, audited } from "@/lib/store/audit";
import { database, lookUp } from "@/lib/store/postgres/database";
import type { Session } from "@/prisma/generated/client";

/** A session with what a request needs to know about its person. */
export interface LiveSession {
  id: string;
  userId: string;
  email: string;
  emailVerified: Date | null;
  name: string | null;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  /** Whether it still has to be confirmed with a passkey, and grants nothing until then. */
  stepDue: boolean;
  /** When the person last proved who they are, if that was after the sign-in. */
  provedAt: Date | null;
}

const FIND = `SELECT s.id, s."userId", u.email, u."emailVerified", u.name, s."createdAt", s."lastSeenAt", s."expiresAt",
  COALESCE(s."revokedAt", u."disabledAt") AS "revokedAt", s."stepDue", s."provedAt"
  FROM "Session" s JOIN "User" u ON u.id = s."userId" WHERE s.id = $1::uuid`;

/** The session with this id, including ended ones. One round trip. */
export async function findSession(id: string): Promise<LiveSession | undefined> {
  const [session] = await lookUp<LiveSession>("find-session", FIND, [id]);
  return session;
}

export interface NewSession {
  userId: string;
  expiresAt: Date;
  browser: string;
  /** Keyed hash of the address, for the audit log. */
  fromHash: string | null;
}

export interface SessionStart {
  /** The same browser's previous session, which ends. */
  replaces?: string | undefined;
  /** The hash that the password was compared with, if there was one. */
  passwordHash?: string | null | undefined;
}

/**
 * Starts a session, which has to be confirmed if the person has a passkey. Returns its id, or undefined if the person
 * was disabled or their password changed since they entered it: ending all sessions in the meantime ends this one too.
 */
export async function createSession(
  { fromHash, ...session }: NewSession,
  { replaces, passwordHash }: SessionStart = {},
): Promise<string | undefined> {
  const author: Author = { actor: "person", userId: session.userId, fromHash: fromHash ?? undefined };
  return audited(author, async (transaction, audit) => {
    const [person] = await transaction.$queryRaw<{ passwordHash: string | null }[]>`SELECT "passwordHash" FROM "User"
      WHERE id = ${session.userId}::uuid AND "disabledAt" IS NULL FOR SHARE`;
    if (!person || (passwordHash !== undefined && person.passwordHash !== passwordHash)) return undefined;
    if (replaces)
      await transaction.session.updateMany({
        where: { id: replaces, revokedAt: null },
        data: { revokedAt: new Date() },
      });
    audit({ action: "session.started", subject: session.userId, details: { browser: session.browser } });
    const stepDue = (await transaction.passkey.count({ where: { userId: session.userId } })) > 0;
    return (await transaction.session.create({ data: { ...session, stepDue }, select: { id: true } })).id;
  });
}

/** Records that a session was used, at most once a minute. */
export async function touchSession(id: string, now: Date): Promise<void> {
  const { pool } = await database();
  await pool.query(
    `UPDATE "Session" SET "lastSeenAt" = $2 WHERE id = $1::uuid AND "lastSeenAt" < $2::timestamptz - interval ` +
      "'1 minute'",
    [id, now],
  );
}

/** The person's sessions that have not ended, newest first. */
export async function listSessions(userId: string, now: Date): Promise<Session[]> {
  const { prisma } = await database();
  return prisma.session.findMany({
    where: { userId, revokedAt: null, expiresAt: { gt: now } },
    orderBy: { createdAt: "desc" },
  });
}

/** Ends one session of a person; false if they have none with this id. */
export async function revokeSession(userId: string, id: string, author: Author): Promise<boolean> {
  return audited(author, async (transaction, audit) => {
    const { count } = await transaction.session.updateMany({
      where: { id, userId, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    if (count > 0) audit({ action: "session.revoked", subject: userId });
    return count > 0;
  });
}

/** Ends every session of a person; returns their number. */
export async function revokeAllSessions(userId: string, author: Author): Promise<number> {
  return audited(author, async (transaction, audit) => {
    const { count } = await transaction.session.updateMany({
      where: { userId, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    audit({ action: "session.all_revoked", subject: userId, details: { sessions: count } });
    return count;
  });
}
