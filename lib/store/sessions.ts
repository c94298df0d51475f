import type { Session } from "@/prisma/generated/client";
import { type Author, audited } from "./audit";
import { database, lookUp } from "./database";

/** A session with what a request must know of its person. */
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
}

const FIND = `SELECT s.id, s."userId", u.email, u."emailVerified", u.name, s."createdAt", s."lastSeenAt", s."expiresAt",
  COALESCE(s."revokedAt", u."disabledAt") AS "revokedAt" FROM "Session" s JOIN "User" u ON u.id = s."userId" WHERE s.id = $1::uuid`;

/** The session with this id, ended ones included. One round trip. */
export async function findSession(id: string): Promise<LiveSession | undefined> {
  const [session] = await lookUp<LiveSession>("find-session", FIND, [id]);
  return session;
}

export interface NewSession {
  userId: string;
  expiresAt: Date;
  browser: string;
  fromHash: string | null;
}

/** Begins a session; the one that the same browser had before ends. Long ended ones of the person are forgotten. */
export async function createSession(session: NewSession, replaces?: string): Promise<string> {
  const { prisma } = await database();
  const forgotten = new Date(Date.now() - 30 * 86_400_000);
  const [, , made] = await prisma.$transaction([
    prisma.session.deleteMany({ where: { userId: session.userId, expiresAt: { lt: forgotten } } }),
    prisma.session.updateMany({ where: { id: { in: replaces ? [replaces] : [] }, revokedAt: null }, data: { revokedAt: new Date() } }),
    prisma.session.create({ data: session, select: { id: true } }),
  ]);
  return made.id;
}

/** Notes that a session was used, at most once a minute. */
export async function touchSession(id: string, now: Date): Promise<void> {
  const { pool } = await database();
  await pool.query(`UPDATE "Session" SET "lastSeenAt" = $2 WHERE id = $1::uuid AND "lastSeenAt" < $2::timestamptz - interval '1 minute'`, [id, now]);
}

/** The person's sessions that have not ended, newest first. */
export async function listSessions(userId: string, now: Date): Promise<Session[]> {
  const { prisma } = await database();
  return prisma.session.findMany({ where: { userId, revokedAt: null, expiresAt: { gt: now } }, orderBy: { createdAt: "desc" } });
}

/** Ends one session of a person; false when they have none with this id. */
export async function revokeSession(userId: string, id: string, author: Author): Promise<boolean> {
  return audited(author, async (transaction, note) => {
    const { count } = await transaction.session.updateMany({ where: { id, userId, revokedAt: null }, data: { revokedAt: new Date() } });
    if (count > 0) note({ action: "session.revoked", subject: userId });
    return count > 0;
  });
}

/** Ends every session of a person; returns how many. */
export async function revokeAllSessions(userId: string, author: Author): Promise<number> {
  return audited(author, async (transaction, note) => {
    const { count } = await transaction.session.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: new Date() } });
    note({ action: "session.all_revoked", subject: userId, details: { sessions: count } });
    return count;
  });
}
