import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import type { ViewEvent } from "@/lib/schemas/news";
import type { Threshold } from "@/lib/schemas/view-result";
import { NO_ROOM, WAITING_MAX } from "@/lib/schemas/watch";
import type { Transaction } from "@/lib/store/audit";
import { READABLE_BY_WATCH, versionsReadableByWatch } from "@/lib/store/datasets/readable";
import { database } from "@/lib/store/postgres/database";

/** How long a worker holds a watch: longer than any evaluation takes, with the reading of files before it. */
const leaseMs = (): number => Math.max(60_000, 4 * env().QUERY_TIMEOUT_MS);

/** The first result of a watched view. */
export interface AddedResult extends SeenResult {
  viewId: string;
  threshold: Threshold | null;
}

/** A result as it is stored, with the version that it is of. */
export interface SeenResult {
  versionId: string;
  /** JSON of a ViewResult, and of the part of it that lists show. */
  result: string;
  shown: string;
  /** The versions that it was read from, those of looked-up tables included. */
  readVersionIds: string[];
}

/** One change of a person's at a time. */
export const lockPerson = (transaction: Transaction, userId: string): Promise<unknown> =>
  transaction.$queryRaw`SELECT 1 FROM "User" WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;

/** Stores the first result of a watch. Fails with conflict if the person watches the maximum of views. */
export async function addResult(
  transaction: Transaction,
  { watchId, userId }: { watchId: string; userId: string | null },
  { threshold, versionId, ...first }: AddedResult,
  now: Date,
): Promise<void> {
  if (userId) await lockPerson(transaction, userId); // so that the count is exact
  const most = env().LIMIT_VIEW_WATCHES;
  if ((await transaction.watch.count({ where: { userId, viewId: { not: null } } })) > most)
    throw fail("conflict", {
      message: `Too many watches of views (maximum ${most} per person).`,
      fix: "Delete one that you no longer need.",
    });
  const { viewId: _, ...kept } = first;
  const seen = { ...kept, versionId, resultVersionId: versionId, lookedAt: now };
  await transaction.watchedResult.create({ data: { watchId, ...(threshold && { threshold }), ...seen } });
}

/** The version of a result. */
export interface SeenVersion {
  label: string | null;
  publishedAt: Date | null;
}

/** The versions of the last results of these watches, by watch; none whose table its watch may no longer read. */
export async function readableResults(watchIds: readonly string[]): Promise<Map<string, SeenVersion>> {
  if (watchIds.length === 0) return new Map();
  const { pool } = await database();
  const { rows } = await pool.query<SeenVersion & { watchId: string }>(
    `SELECT w.id AS "watchId", v.label, v."publishedAt" FROM ${VIEWED}
       LEFT JOIN "Version" v ON v.id = r."resultVersionId"
     WHERE w.id = ANY($1::uuid[]) AND ${READABLE_BY_WATCH} AND ${versionsReadableByWatch(READ)}`,
    [watchIds],
  );
  return new Map(rows.map(({ watchId, ...version }) => [watchId, version]));
}

const VIEWED = `"WatchedResult" r JOIN "Watch" w ON w.id = r."watchId" JOIN "SavedView" s ON s.id = w."viewId"
  JOIN "Table" t ON t.id = s."tableId" JOIN "Dataset" d ON d.id = t."datasetId"`;

/** The versions that the last result of a watch was read from. */
const READ = `coalesce(nullif(r."readVersionIds", '{}'), ARRAY[r."resultVersionId"])`;

/** The version that a watch reads now; null if its workspace may not read the table, or nothing of it is current. */
const PRESENT = `CASE WHEN ${READABLE_BY_WATCH} THEN t."currentVersionId" END`;

/** A watch whose table has another version than the one looked at last, held by a worker for one attempt. */
export interface ClaimedView {
  watchId: string;
  workspaceId: string;
  viewId: string;
  tableId: string;
  datasetTitle: string;
  /** The query string of the explorer's URL. */
  query: string;
  threshold: Threshold | null;
  /** What was looked at last, and what is to be looked at; null where the table cannot be read. */
  versionId: string | null;
  present: string | null;
  resultVersionId: string;
  result: string;
  readVersionIds: string[];
  /** Whether the last result may still be told: all versions that it was read from can be read. */
  mayTell: boolean;
  /** Why the last look gave no result, as it was told. */
  problem: string | null;
  /** 1 for the first at this version. */
  attempts: number;
  /** Until when it is held. */
  until: Date;
}

/**
 * Claims the watch of a view whose turn it is: of the workspace that was served longest ago, and has no other claimed.
 * The attempt is counted before it is made: if the worker dies, it is made again with the next number.
 */
export async function claimView(now: Date): Promise<ClaimedView | undefined> {
  const { pool } = await database();
  const until = new Date(now.getTime() + leaseMs());
  const { rows } = await pool.query<ClaimedView>(CLAIM, [now, until]);
  return rows[0];
}

const CLAIM = `UPDATE "WatchedResult" c SET "servedAt" = $1, "heldUntil" = $2, "triedVersionId" = n.present,
    attempts = CASE WHEN c."triedVersionId" IS NOT DISTINCT FROM n.present THEN c.attempts + 1 ELSE 1 END
  FROM (
    SELECT r."watchId", w."workspaceId", w."viewId", s."tableId", s.query, d.title, ${PRESENT} AS present,
        ${versionsReadableByWatch(READ)} AS "mayTell" FROM ${VIEWED}
    WHERE w."disabledAt" IS NULL AND r."versionId" IS DISTINCT FROM ${PRESENT}
      AND (r."heldUntil" IS NULL OR r."heldUntil" <= $1) AND (r."nextAt" IS NULL OR r."nextAt" <= $1)
      AND NOT EXISTS (SELECT 1 FROM "WatchedResult" o JOIN "Watch" p ON p.id = o."watchId"
        WHERE p."workspaceId" = w."workspaceId" AND o."heldUntil" > $1)
    ORDER BY (SELECT max(o."servedAt") FROM "WatchedResult" o JOIN "Watch" p ON p.id = o."watchId"
      WHERE p."workspaceId" = w."workspaceId") NULLS FIRST, r."servedAt" NULLS FIRST, r."watchId"
    LIMIT 1 FOR NO KEY UPDATE OF r SKIP LOCKED) n
  WHERE c."watchId" = n."watchId"
  RETURNING c."watchId", n."workspaceId", n."viewId", n."tableId", n.query, n.title AS "datasetTitle", c.threshold,
    c."versionId", n.present,
    c."resultVersionId", c.result, c."readVersionIds", n."mayTell", c.problem, c.attempts, c."heldUntil" AS until`;

/** What a look at the present version found. */
export type Looked =
  /** A result; `event` is told if it is a change. */
  | { kind: "result"; seen: SeenResult; event: ViewEvent | undefined }
  /** That there is none; `event` is told if it is not known yet. The last result remains. */
  | { kind: "problem"; problem: string; event: ViewEvent | undefined }
  /** Nothing, for a reason that may pass. */
  | { kind: "again"; pauseMs: number };

/**
 * Stores what a look found, together with the delivery that tells it, in one transaction: either both are stored or
 * neither. Does nothing for a worker that no longer holds the watch, and for a watch that was disabled meanwhile, which
 * is looked at again when it is enabled.
 */
export async function settleView(claimed: ClaimedView, looked: Looked, now: Date): Promise<void> {
  const { prisma } = await database();
  const { watchId, until } = claimed;
  await prisma.$transaction(async (transaction) => {
    // locked in the same order as by the watch's deletion
    const [watch] = await transaction.$queryRaw<{ isDisabled: boolean }[]>`
      SELECT "disabledAt" IS NOT NULL AS "isDisabled" FROM "Watch" WHERE id = ${watchId}::uuid FOR NO KEY UPDATE`;
    if (!watch) return;
    const data = watch.isDisabled ? { heldUntil: null } : { heldUntil: null, ...stored(claimed, looked, now) };
    const { count } = await transaction.watchedResult.updateMany({ where: { watchId, heldUntil: until }, data });
    if (count === 0 || watch.isDisabled || looked.kind === "again" || !looked.event) return;
    await tell(transaction, claimed, { event: looked.event, readVersionIds: toldVersions(claimed, looked) }, now);
  });
}

/** The versions whose data news tells: those of the present result and, unless they are withheld, of the one before. */
function toldVersions({ mayTell, readVersionIds }: ClaimedView, looked: Looked): string[] {
  if (looked.kind !== "result") return [];
  return [...new Set([...looked.seen.readVersionIds, ...(mayTell ? readVersionIds : [])])];
}

function stored({ present }: ClaimedView, looked: Looked, now: Date) {
  if (looked.kind === "again") return { nextAt: new Date(now.getTime() + looked.pauseMs) };
  const settled = { triedVersionId: null, attempts: 0, nextAt: null, lookedAt: now };
  if (looked.kind === "problem") return { ...settled, versionId: present, problem: looked.problem };
  const { versionId, ...seen } = looked.seen;
  return { ...settled, ...seen, versionId, resultVersionId: versionId, problem: null };
}

/** A workspace with too many waiting deliveries gets more only as given up, with the reason. */
async function tell(
  transaction: Transaction,
  { watchId, workspaceId }: ClaimedView,
  news: { event: ViewEvent; readVersionIds: string[] },
  at: Date,
): Promise<void> {
  const waiting = await transaction.watchDelivery.count({ where: { state: "waiting", watch: { workspaceId } } });
  const state = waiting < WAITING_MAX ? { state: "waiting" as const, viewDueAt: at } : NO_ROOM_STATE;
  await transaction.watchDelivery.create({ data: { watchId, ...news, at, ...state } });
}

const NO_ROOM_STATE = { state: "given_up" as const, answer: NO_ROOM };
