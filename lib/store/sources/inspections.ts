import { fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import { database } from "@/lib/store/postgres/database";
import { enqueueInspection } from "@/lib/store/runs/jobs";
import type { Inspection, Prisma } from "@/prisma/generated/client";

export type StoredInspection = Inspection;

export interface NewInspection {
  workspaceId: string;
  datasetId: string | undefined;
  /** Canonical JSON of the request, without secrets. */
  request: string;
  /** Digest of the request. The same request gets the same answer for ten minutes. */
  requestDigest: string;
  createdBy: Prisma.InputJsonObject;
  /** Maximum per hour. */
  most: number;
  /** Older inspections of the same request saw different bytes. */
  notBefore?: Date | undefined;
  now: Date;
}

const AGAIN_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
const RETENTION_MS = 7 * 86_400_000;
const ATTEMPTS_MAX = 3;

/**
 * Queues an inspection, or returns one of the same request that is at most ten minutes old and did not fail. Fails with
 * rate_limited if the workspace's hourly quota is used up.
 */
export async function createInspection(input: NewInspection): Promise<StoredInspection> {
  const { prisma } = await database();
  const { workspaceId, datasetId = null, request, requestDigest, createdBy, now } = input;
  return prisma.$transaction(async (transaction) => {
    await transaction.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`inspect ${workspaceId}`}, 0))::text`;
    const again = await transaction.inspection.findFirst({
      where: {
        ...{ workspaceId, requestDigest, state: { not: "failed" } },
        createdAt: { gt: new Date(Math.max(now.getTime() - AGAIN_MS, input.notBefore?.getTime() ?? 0)) },
      },
      orderBy: { createdAt: "desc" },
    });
    if (again) return again;
    const since = { workspaceId, createdAt: { gt: new Date(now.getTime() - HOUR_MS) } };
    const recent = await transaction.inspection.findMany({
      where: since,
      orderBy: { createdAt: "desc" },
      select: { createdAt: true },
      take: input.most,
    });
    const oldest = recent[input.most - 1];
    if (oldest) throw tooMany(input.most, oldest.createdAt, now);
    const inspection = await transaction.inspection.create({
      data: {
        ...{ workspaceId, datasetId, request, requestDigest, createdBy, state: "queued", createdAt: now },
        expiresAt: new Date(now.getTime() + RETENTION_MS),
      },
    });
    await enqueueInspection(transaction, inspection);
    return inspection;
  });
}

function tooMany(most: number, oldest: Date, now: Date) {
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest.getTime() + HOUR_MS - now.getTime()) / 1000));
  const message = `Hourly quota of ${most} inspections reached. Try again in ${retryAfterSeconds} s.`;
  return fail("rate_limited", { message, retryAfterSeconds });
}

/** A workspace's inspection that has not expired; undefined for anything else alike. */
export async function findInspection(
  workspaceId: string,
  id: string,
  now: Date,
): Promise<StoredInspection | undefined> {
  if (!isUuid(id)) return undefined;
  const { prisma } = await database();
  return (await prisma.inspection.findFirst({ where: { id, workspaceId, expiresAt: { gt: now } } })) ?? undefined;
}

/** The newest inspections for a dataset, oldest first; only the newest per request. */
export async function inspectionsFor(datasetId: string, most: number, now: Date): Promise<StoredInspection[]> {
  const { prisma } = await database();
  const found = await prisma.inspection.findMany({
    where: { datasetId, expiresAt: { gt: now } },
    orderBy: { createdAt: "desc" },
    distinct: ["requestDigest"],
    take: most,
  });
  return found.reverse();
}

/** The last good inspections of requests, by their digests. */
export async function inspectedBefore(
  workspaceId: string,
  requestDigests: readonly string[],
  now: Date,
): Promise<Map<string, StoredInspection>> {
  if (requestDigests.length === 0) return new Map();
  const { prisma } = await database();
  const found = await prisma.inspection.findMany({
    where: { workspaceId, requestDigest: { in: [...requestDigests] }, state: "done", expiresAt: { gt: now } },
    orderBy: { createdAt: "asc" },
  });
  return new Map(found.map((inspection) => [inspection.requestDigest, inspection]));
}

/** Claims an inspection for a worker; undefined if nothing is left to do, or if three workers were lost on it. */
export async function claimInspection(id: string, worker: string, now: Date): Promise<StoredInspection | undefined> {
  const { prisma } = await database();
  const [claimed] = await prisma.inspection.updateManyAndReturn({
    where: { id, state: { in: ["queued", "running"] }, attempt: { lt: ATTEMPTS_MAX } },
    data: { state: "running", worker, attempt: { increment: 1 }, fence: { increment: 1 } },
  });
  if (claimed) return claimed;
  const failure = { code: "worker_lost", message: `Its worker was lost ${ATTEMPTS_MAX} times.` };
  await prisma.inspection.updateMany({
    where: { id, state: { in: ["queued", "running"] } },
    data: ended("failed", { failureCode: failure.code, failureMessage: failure.message }, now),
  });
  return undefined;
}

type Claimed = Pick<StoredInspection, "id" | "fence">;

/** Records the findings; false if another worker has the inspection. */
export const finishInspection = (claimed: Claimed, result: Prisma.InputJsonObject, now: Date): Promise<boolean> =>
  end(claimed, ended("done", { result }, now));

/** Records why it failed; false if another worker has the inspection. */
export const failInspection = (
  claimed: Claimed,
  { code, message }: { code: string; message: string },
  now: Date,
): Promise<boolean> => end(claimed, ended("failed", { failureCode: code, failureMessage: message }, now));

const ended = (
  state: "done" | "failed",
  set: Prisma.InspectionUpdateManyMutationInput,
  now: Date,
): Prisma.InspectionUpdateManyMutationInput => ({ ...set, state, finishedAt: now });

async function end({ id, fence }: Claimed, data: Prisma.InspectionUpdateManyMutationInput): Promise<boolean> {
  const { prisma } = await database();
  const { count } = await prisma.inspection.updateMany({ where: { id, fence, state: "running" }, data });
  return count > 0;
}

const JOB_TIMEOUT_MS = 10 * 60_000;

/** Deletes expired inspections, and ends those whose job is gone, as after a restore. */
export async function tidyInspections(now: Date): Promise<void> {
  const { prisma } = await database();
  await prisma.inspection.deleteMany({ where: { expiresAt: { lte: now } } });
  await prisma.inspection.updateMany({
    where: { state: { in: ["queued", "running"] }, createdAt: { lt: new Date(now.getTime() - JOB_TIMEOUT_MS) } },
    data: ended("failed", { failureCode: "worker_lost", failureMessage: "Its worker was lost." }, now),
  });
}

/** The folders of work in progress, named like those of runs. */
export async function busyInspections(): Promise<string[]> {
  const { prisma } = await database();
  const rows = await prisma.inspection.findMany({ where: { state: "running" }, select: { id: true, fence: true } });
  return rows.map(({ id, fence }) => `${id}.${fence}`);
}
