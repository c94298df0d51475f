import { fail } from "@/lib/kernel/errors";
import { database } from "@/lib/store/postgres/database";

const MIDNIGHT = (now: Date): Date => new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000);
const secondsToMidnight = (now: Date): number =>
  Math.ceil((MIDNIGHT(now).getTime() + 86_400_000 - now.getTime()) / 1000);

/** A workspace's usage today (UTC). */
export async function buildUsage(workspaceId: string, now: Date): Promise<{ runs: number; bytes: number }> {
  const { prisma } = await database();
  const row = await prisma.buildUsage.findUnique({ where: { workspaceId_day: { workspaceId, day: MIDNIGHT(now) } } });
  return { runs: row?.runs ?? 0, bytes: Number(row?.bytes ?? 0) };
}

/** Counts a run in the workspace's day. Fails with daily_quota_exhausted. */
export async function countRun(workspaceId: string, most: number, now: Date): Promise<void> {
  const { prisma } = await database();
  const { runs } = await prisma.buildUsage.upsert({
    where: { workspaceId_day: { workspaceId, day: MIDNIGHT(now) } },
    create: { workspaceId, day: MIDNIGHT(now), runs: 1 },
    update: { runs: { increment: 1 } },
  });
  if (runs > most)
    throw fail("daily_quota_exhausted", {
      message: `Daily quota of ${most} runs reached. Start the run after midnight UTC.`,
      retryAfterSeconds: secondsToMidnight(now),
    });
}

/** Fails with daily_quota_exhausted if the workspace has used up its daily bytes. */
export async function requireFetchQuota(workspaceId: string, most: number, now: Date): Promise<void> {
  const { bytes } = await buildUsage(workspaceId, now);
  if (bytes < most) return;
  throw fail("daily_quota_exhausted", {
    message: `Daily quota of ${most.toLocaleString("en")} fetched bytes reached. Start the run after midnight UTC.`,
    retryAfterSeconds: secondsToMidnight(now),
  });
}

/** Counts bytes fetched from sources. Returns the day's total. */
export async function recordFetchedBytes(workspaceId: string, bytes: number, now: Date): Promise<number> {
  const { prisma } = await database();
  const row = await prisma.buildUsage.upsert({
    where: { workspaceId_day: { workspaceId, day: MIDNIGHT(now) } },
    create: { workspaceId, day: MIDNIGHT(now), bytes },
    update: { bytes: { increment: bytes } },
  });
  return Number(row.bytes);
}
