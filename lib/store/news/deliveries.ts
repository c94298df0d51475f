import { type WatchEvent, watchEventSchema } from "@/lib/schemas/news";
import type { Transaction } from "@/lib/store/audit";
import { READABLE_BY_WATCH, versionsReadableByWatch } from "@/lib/store/datasets/readable";
import { database } from "@/lib/store/postgres/database";
import { Prisma, type WatchChannel } from "@/prisma/generated/client";

/** How long a worker holds a workspace's turn: longer than any attempt takes. */
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
  /** Until when the workspace's turn is held. */
  until: Date;
  event: WatchEvent;
  watch: {
    id: string;
    workspaceId: string;
    channel: WatchChannel;
    /** Failed attempts since something last arrived. */
    failures: number;
    target: string;
    sealed: Uint8Array<ArrayBuffer> | null;
    sealedWith: string | null;
    /** For email: the person's current address; null if they may no longer receive the news. */
    email: string | null;
    /** Of a view: whether its table may currently be read; null for others. */
    mayRead: boolean | null;
  };
}

type ClaimedRow = Omit<ClaimedDelivery, "watch" | "until"> & Omit<ClaimedDelivery["watch"], "id"> & { watchId: string };

/**
 * Claims a delivery of the channel for the workspace whose turn it is: of those with a delivery that is due, the one
 * that was served longest ago. Each workspace has one delivery of a channel in progress at a time, so receivers that
 * never answer take one lane from everybody else, however many they are. Receivers that failed before come last within
 * their workspace. The attempt is counted before it is made: if the worker dies in between, it is made again with the
 * next number. What this release cannot read is given up.
 */
export async function claimDelivery(channel: WatchChannel, now: Date): Promise<ClaimedDelivery | undefined> {
  const { prisma } = await database();
  const until = new Date(now.getTime() + LEASE_MS);
  return prisma.$transaction(async (transaction) => {
    const workspaceId = await takeTurn(transaction, channel, { now, until });
    const row = workspaceId && (await takeDue(transaction, { workspaceId, channel }, now));
    if (!row) return undefined;
    const { id, attempt, event, watchId, ...watch } = row;
    const { data } = watchEventSchema.safeParse(event);
    if (data) return { id, attempt, until, event: data, watch: { id: watchId, ...watch } };
    await transaction.watchDelivery.update({
      where: { id },
      data: { ...ENDED, answer: "Written by a later release." },
    });
    await freeTurn(transaction, { workspaceId, channel });
    return undefined;
  });
}

/** Given up, and due at no time. */
const ENDED = { state: "given_up", nextAt: null, viewDueAt: null } as const;

/** When a delivery `d` is due. */
const DUE = Prisma.raw(`coalesce(d."nextAt", d."viewDueAt")`);

/** The workspace whose turn it is, with its turn held; undefined if none has a delivery that is due. */
async function takeTurn(
  transaction: Transaction,
  channel: WatchChannel,
  { now, until }: { now: Date; until: Date },
): Promise<string | undefined> {
  await transaction.$executeRaw`
    INSERT INTO "DeliveryTurn" ("workspaceId", channel)
    SELECT DISTINCT w."workspaceId", w.channel FROM "WatchDelivery" d JOIN "Watch" w ON w.id = d."watchId"
    WHERE d.state = 'waiting' AND ${DUE} <= ${now} AND w.channel = ${channel}::"WatchChannel"
    ON CONFLICT DO NOTHING`;
  const [turn] = await transaction.$queryRaw<{ workspaceId: string }[]>`
    UPDATE "DeliveryTurn" t SET "servedAt" = ${now}, "heldUntil" = ${until}
    WHERE t.channel = ${channel}::"WatchChannel" AND t."workspaceId" = (
      SELECT n."workspaceId" FROM "DeliveryTurn" n
      WHERE n.channel = ${channel}::"WatchChannel" AND (n."heldUntil" IS NULL OR n."heldUntil" <= ${now})
        AND n."workspaceId" IN (
          SELECT w."workspaceId" FROM "WatchDelivery" d JOIN "Watch" w ON w.id = d."watchId"
          WHERE d.state = 'waiting' AND ${DUE} <= ${now} AND w.channel = ${channel}::"WatchChannel")
      ORDER BY n."servedAt" NULLS FIRST, n."workspaceId" LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING t."workspaceId"`;
  return turn?.workspaceId;
}

/** A due delivery of the workspace, counted as attempted; the turn is free again if another worker has sent it since. */
async function takeDue(
  transaction: Transaction,
  { workspaceId, channel }: { workspaceId: string; channel: WatchChannel },
  now: Date,
): Promise<ClaimedRow | undefined> {
  const [row] = await transaction.$queryRaw<ClaimedRow[]>`
    UPDATE "WatchDelivery" d SET attempts = d.attempts + 1, "attemptedAt" = ${now}
    FROM "Watch" w
    WHERE w.id = d."watchId" AND d.id = (
      SELECT d.id FROM "WatchDelivery" d JOIN "Watch" y ON y.id = d."watchId"
      WHERE y."workspaceId" = ${workspaceId}::uuid AND y.channel = ${channel}::"WatchChannel"
        AND d.state = 'waiting' AND ${DUE} <= ${now}
      ORDER BY y.failures > 0, ${DUE}, d.at LIMIT 1 FOR NO KEY UPDATE OF d)
    RETURNING d.id, d.attempts AS attempt, d.event, w.id AS "watchId", w."workspaceId", w.channel::text AS channel,
      w.failures, w.target, w.sealed, w."sealedWith", (SELECT u.email FROM "User" u JOIN "Membership" m
        ON m."userId" = u.id WHERE u.id = w."userId" AND m."workspaceId" = w."workspaceId" AND u."disabledAt" IS NULL
          AND u."emailVerified" IS NOT NULL) AS email, (SELECT ${Prisma.raw(READABLE_BY_WATCH)} FROM "SavedView" s
        JOIN "Table" t ON t.id = s."tableId" JOIN "Dataset" d ON d.id = t."datasetId"
        WHERE s.id = w."viewId") AND ${Prisma.raw(versionsReadableByWatch('d."readVersionIds"'))} AS "mayRead"`;
  if (!row) await freeTurn(transaction, { workspaceId, channel });
  return row;
}

/** For how long the oldest delivery of each channel that is due has been waiting; 0 if none is. */
export async function deliveryLags(now: Date): Promise<{ channel: WatchChannel; seconds: number }[]> {
  const { prisma } = await database();
  return prisma.$queryRaw`
    SELECT c.channel::text AS channel,
      coalesce(greatest(0, extract(epoch FROM ${now} - min(${DUE}))), 0)::float8 AS seconds
    FROM unnest(enum_range(NULL::"WatchChannel")) AS c(channel)
      LEFT JOIN ("WatchDelivery" d JOIN "Watch" w ON w.id = d."watchId")
        ON w.channel = c.channel AND d.state = 'waiting' AND ${DUE} <= ${now}
    GROUP BY c.channel`;
}

const freeTurn = (transaction: Transaction, where: Prisma.DeliveryTurnWhereInput) =>
  transaction.deliveryTurn.updateMany({ where, data: { heldUntil: null } });

/** Frees the workspace's turn, unless another worker has taken it since. */
export async function releaseTurn({ watch, until }: Pick<ClaimedDelivery, "watch" | "until">): Promise<void> {
  const { prisma } = await database();
  await freeTurn(prisma, { workspaceId: watch.workspaceId, channel: watch.channel, heldUntil: until });
}

/** The outcome of an attempt. */
export interface Attempted {
  /** `gone`: the receiver says that it wants no more deliveries. `withheld`: nothing was sent, and nothing will be. */
  outcome: "arrived" | "failed" | "gone" | "withheld";
  status: number | null;
  /** The text shown to people. It contains nothing of a reply's body. */
  answer: string;
  /** How long the receiver asked to wait. */
  retryAfterMs?: number | undefined;
}

/** The columns with the time at which a delivery is due; null for none. */
export const dueAt = ({ kind }: Pick<WatchEvent, "kind">, at: Date | null) =>
  kind.startsWith("view_") ? { nextAt: null, viewDueAt: at } : { nextAt: at, viewDueAt: null };

type Claimed = Pick<ClaimedDelivery, "id" | "attempt" | "event"> & { watch: { id: string } };

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
  const due = dueAt(claimed.event, next === undefined ? null : new Date(now.getTime() + next));
  return prisma.$transaction(async (transaction) => {
    // locked in the same order as by the watch's deletion
    await transaction.$executeRaw`SELECT FROM "Watch" WHERE id = ${claimed.watch.id}::uuid FOR NO KEY UPDATE`;
    const { count } = await transaction.watchDelivery.updateMany({
      where: { id: claimed.id, attempts: claimed.attempt, state: "waiting" },
      data: { state, ...due, status, answer },
    });
    if (count === 0) return { disabled: undefined };
    return { disabled: await recordAtWatch(transaction, claimed.watch.id, { state, outcome, answer }, now) };
  });
}

async function recordAtWatch(
  transaction: Transaction,
  id: string,
  { state, outcome, answer }: { state: string; outcome: Attempted["outcome"]; answer: string },
  now: Date,
): Promise<string | undefined> {
  if (outcome === "arrived") {
    await transaction.watch.update({ where: { id }, data: { failures: 0, failingSince: null, lastSentAt: now } });
    return undefined;
  }
  if (outcome === "withheld") return undefined;
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

/** Gives up the waiting deliveries of a watch that was disabled. */
export async function giveUpWaiting(transaction: Transaction, watchId: string): Promise<void> {
  await transaction.watchDelivery.updateMany({
    where: { watchId, state: "waiting" },
    data: { ...ENDED, answer: "The watch was disabled." },
  });
}
