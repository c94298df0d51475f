import { setTimeout as sleep } from "node:timers/promises";
import { fail } from "@/lib/kernel/errors";
import { sha256Hex } from "@/lib/kernel/sha256";
import { database } from "@/lib/store/postgres/database";

const RETENTION_MS = 86_400_000;
/** Longer than any call takes: one that has been in progress this long was killed. */
const ABANDONED_MS = 120_000;
const LOOK_MS = 100;
const TRIES_MAX = 250;
/** Stored in place of a reply. */
const UNDER_WAY = "";

export interface KeyedCall {
  workspaceId: string;
  /** If absent, the call is made without a check. */
  key: string | undefined;
  tool: string;
  /** All arguments except the key. */
  args: unknown;
  now: Date;
}

/**
 * Makes a call once per key. For a day, the same call gets the same reply; while the first one is in progress, it waits
 * for that reply. Fails with idempotency_key_reused if the arguments differ.
 */
export async function onlyOnce<T>(keyed: KeyedCall, call: () => Promise<T>): Promise<T> {
  const { workspaceId, key, tool, args, now } = keyed;
  if (key === undefined) return call();
  const requestDigest = sha256Hex(JSON.stringify([tool, args]));
  const taken = await takeKey({ workspaceId, key, tool, requestDigest, now });
  if (taken.reply !== undefined) return JSON.parse(taken.reply) as T;
  const { prisma } = await database();
  const own = { workspaceId, key, requestDigest, reply: UNDER_WAY, createdAt: taken.since };
  try {
    const reply = await call();
    const expiresAt = new Date(now.getTime() + RETENTION_MS);
    await prisma.idempotencyRecord.updateMany({ where: own, data: { reply: JSON.stringify(reply), expiresAt } });
    return reply;
  } catch (error) {
    await prisma.idempotencyRecord.deleteMany({ where: own }); // a call that failed may be made again
    throw error;
  }
}

interface Wanted {
  workspaceId: string;
  key: string;
  tool: string;
  requestDigest: string;
  now: Date;
}

/**
 * Inserts the row before the call is made, so of two simultaneous calls only one has it. Returns an earlier call's
 * reply.
 */
async function takeKey(wanted: Wanted): Promise<{ since: Date; reply?: string }> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const since = await insertRow(wanted);
    if (since) return { since };
    const reply = await earlierReply(wanted);
    if (reply !== undefined) return { since: wanted.now, reply };
    await sleep(LOOK_MS);
  }
  throw fail("conflict", {
    message: "The same call is still in progress. Send it again in a moment with the same key.",
  });
}

/** Undefined if another call has the key. A call that ended without a reply, or a day ago, gives it up. */
async function insertRow({ now, ...row }: Wanted): Promise<Date | undefined> {
  const { pool } = await database();
  const { rows } = await pool.query<{ createdAt: Date }>(
    `INSERT INTO "IdempotencyRecord" ("workspaceId", key, tool, "requestDigest", reply, "createdAt", "expiresAt")
     VALUES ($1::uuid, $2, $3, $4, '', $5, $6)
     ON CONFLICT ("workspaceId", key) DO UPDATE SET tool = excluded.tool, "requestDigest" = excluded."requestDigest",
       reply = '', "createdAt" = excluded."createdAt", "expiresAt" = excluded."expiresAt"
     WHERE "IdempotencyRecord"."expiresAt" <= excluded."createdAt"
     RETURNING "createdAt"`,
    [row.workspaceId, row.key, row.tool, row.requestDigest, now, new Date(now.getTime() + ABANDONED_MS)],
  );
  return rows[0]?.createdAt;
}

async function earlierReply({ workspaceId, key, requestDigest }: Wanted): Promise<string | undefined> {
  const { prisma } = await database();
  const found = await prisma.idempotencyRecord.findUnique({ where: { workspaceId_key: { workspaceId, key } } });
  if (found && found.requestDigest !== requestDigest)
    throw fail("idempotency_key_reused", { message: `The key ${key} was used for another call. Send a new one.` });
  return found?.reply === UNDER_WAY ? undefined : found?.reply;
}
