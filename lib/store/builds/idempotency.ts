import { fail } from "@/lib/kernel/errors";
import { sha256Hex } from "@/lib/kernel/sha256";
import { database } from "@/lib/store/database";

const KEPT_MS = 86_400_000;

export interface KeyedCall {
  workspaceId: string;
  /** Absent: the call is simply made. */
  key: string | undefined;
  tool: string;
  /** All of them but the key. */
  args: unknown;
  now: Date;
}

/**
 * Makes a call once for its key: the same call again gets the same reply for a day. Fails with idempotency_key_reused
 * where the arguments are others.
 */
export async function onlyOnce<T>(
  { workspaceId, key, tool, args, now }: KeyedCall,
  call: () => Promise<T>,
): Promise<T> {
  if (key === undefined) return call();
  const { prisma } = await database();
  const requestDigest = sha256Hex(JSON.stringify([tool, args]));
  const where = { workspaceId_key: { workspaceId, key } };
  const before = await prisma.idempotencyRecord.findUnique({ where });
  if (before && before.expiresAt > now) {
    if (before.requestDigest !== requestDigest)
      throw fail("idempotency_key_reused", { message: `The key ${key} was used for another call. Send a new one.` });
    return JSON.parse(before.reply) as T;
  }
  const reply = await call();
  const row = {
    tool,
    requestDigest,
    reply: JSON.stringify(reply),
    createdAt: now,
    expiresAt: new Date(now.getTime() + KEPT_MS),
  };
  await prisma.idempotencyRecord.upsert({ where, create: { workspaceId, key, ...row }, update: row });
  return reply;
}
