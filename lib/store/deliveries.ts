import { type WatchEvent, watchEventSchema } from "@/lib/schemas/news";
import type { Prisma, WatchChannel } from "@/prisma/generated/client";
import type { Transaction } from "./audit";
import { database } from "./database";
import { giveUpWaiting } from "./watches";

/** How long a worker holds a delivery: longer than any attempt takes. */
const LEASE_MS = 60_000;

/** The pause after each failed attempt. After the last one, the delivery is given up. */
const PAUSES_S = [5, 60, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600] as const;
export const ATTEMPTS_MAX = PAUSES_S.length + 1;

/** If a delivery was given up and nothing has arrived at its watch for this long, the watch is disabled. */
const SILENT_MS = 3 * 86_400_000;

/** How long finished deliveries are listed. */
const LISTED_MS = 30 * 86_400_000;

/** A delivery that a worker holds for one attempt. */
export interface ClaimedDelivery {
  id: string;
  /** 1 for the first. */
  attempt: number;
  event: WatchEvent;
  watch: {
    id: string;
    workspaceId: string;
    channel: WatchChannel;
    target: string;
    sealed: Uint8Array<ArrayBuffer> | null;
    sealedWith: string | null;
    /** For email: the person's current address; null if they may no longer receive the news. */
    email: string | null;
  };
}

const CLAIM = `UPDATE "WatchDelivery" d
  SET attempts = d.attempts + 1, "attemptedAt" = $1, "sendingUntil" = $2
  FROM "Watch" w
  WHERE w.id = d."watchId" AND d.id = (
    SELECT x.id FROM "WatchDelivery" x
    WHERE x.state = 'waiting' AND x."nextAt" <= $1 AND (x."sendingUntil" IS NULL OR x."sendingUntil" <= $1)
      AND NOT EXISTS (
        SELECT 1 FROM "WatchDelivery" y WHERE y."watchId" = x."watchId" AND y."sendingUntil" > $1)
    ORDER BY x."nextAt", x.at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING d.id, d.attempts AS attempt, d.event, w.id AS "watchId", w."workspaceId", w.channel::text AS channel,
    w.target, w.sealed, w."sealedWith", (SELECT u.email FROM "User" u JOIN "Membership" m ON m."userId" = u.id
      WHERE u.id = w."userId" AND m."workspaceId" = w."workspaceId" AND u."disabledAt" IS NULL
        AND u."emailVerified" IS NOT NULL) AS email`;

type ClaimedRow = Omit<ClaimedDelivery, "watch"> & Omit<ClaimedDelivery["watch"], "id"> & { watchId: string };

/**
 * Claims the delivery that has been due longest, and counts the attempt before it is made: if the worker dies in
 * between, it is made again with the next number. Each watch has one delivery in progress at a time, so a slow receiver
 * does not delay others.
 */
export async function claimDelivery(now: Date): Promise<ClaimedDelivery | undefined> {
  const { pool } = await database();
  const until = new Date(now.getTime() + LEASE_MS);
  const [row] = (await pool.query<ClaimedRow>(CLAIM, [now, until])).rows;
  if (!row) return undefined;
  const { id, attempt, event, watchId, ...watch } = row;
  return { id, attempt, event: watchEventSchema.parse(event), watch: { id: watchId, ...watch } };
}

/** The outcome of an attempt. */
export interface Attempted {
  /** `gone`: the receiver says that it wants no more deliveries. */
  outcome: "arrived" | "failed" | "gone";
  status: number | null;
  /** The text shown to people. It contains nothing of a reply's body. */
  answer: string;
  /** How long the receiver asked to wait. */
  retryAfterMs?: number | undefined;
}

type Claimed = Pick<ClaimedDelivery, "id" | "attempt"> & { watch: { id: string } };

/**
 * Writes the outcome of an attempt. Does nothing if another worker has made one since. `disabled`: the watch gets no
 * further news.
 */
export async function settleDelivery(
  claimed: Claimed,
  attempted: Attempted,
  now: Date,
): Promise<{ disabled: string | undefined }> {
  const { prisma } = await database();
  const { status, answer, outcome } = attempted;
  const pause = outcome === "failed" ? PAUSES_S[claimed.attempt - 1] : undefined;
  const next =
    pause === undefined ? undefined : Math.max(pause * 1000, Math.min(attempted.retryAfterMs ?? 0, 86_400_000));
  const state = outcome === "arrived" ? "sent" : next === undefined ? "given_up" : "waiting";
  const nextAt = next === undefined ? null : new Date(now.getTime() + next);
  return prisma.$transaction(async (transaction) => {
    const { count } = await transaction.watchDelivery.updateMany({
      where: { id: claimed.id, attempts: claimed.attempt, state: "waiting" },
      data: { state, nextAt, sendingUntil: null, status, answer },
    });
    if (count === 0) return { disabled: undefined };
    return { disabled: await noteAtWatch(transaction, claimed.watch.id, { state, outcome, answer }, now) };
  });
}

async function noteAtWatch(
  transaction: Transaction,
  id: string,
  { state, outcome, answer }: { state: string; outcome: Attempted["outcome"]; answer: string },
  now: Date,
): Promise<string | undefined> {
  if (outcome === "arrived") {
    await transaction.watch.update({ where: { id }, data: { failures: 0, failingSince: null, lastSentAt: now } });
    return undefined;
  }
  const before = await transaction.watch.findUniqueOrThrow({ where: { id } });
  const failingSince = before.failingSince ?? now;
  const failing = { failures: { increment: 1 }, failingSince } satisfies Prisma.WatchUpdateInput;
  const isSilent = state === "given_up" && now.getTime() - failingSince.getTime() >= SILENT_MS;
  const reason = outcome === "gone" ? answer : isSilent ? `Nothing arrived for three days: ${answer}` : undefined;
  const isDisabled = reason !== undefined && before.disabledAt === null;
  await transaction.watch.update({
    where: { id },
    data: { ...failing, ...(isDisabled && { disabledAt: now, disabledReason: reason }) },
  });
  if (isDisabled) await giveUpWaiting(transaction, id);
  return isDisabled ? reason : undefined;
}

/** Deletes deliveries that were finished a month ago. */
export async function tidyDeliveries(now: Date): Promise<void> {
  const { prisma } = await database();
  const at = { lt: new Date(now.getTime() - LISTED_MS) };
  await prisma.watchDelivery.deleteMany({ where: { at, state: { in: ["sent", "given_up"] } } });
}
