import type { RunCheck } from "@/lib/schemas/run";
import type { Change } from "@/lib/schemas/table";
import { database } from "@/lib/store/postgres/database";

/** The outcomes of a dataset's runs since a given time. */
export interface RunCounts {
  count: number;
  failed: number;
  unchanged: number;
  released: number;
}

export interface FailedRun {
  runId: string;
  at: Date;
  code: string;
  message: string;
}

const COUNTS = `SELECT count(*)::int AS count, count(*) FILTER (WHERE state = 'failed')::int AS failed,
    count(*) FILTER (WHERE outcome = 'unchanged')::int AS unchanged,
    count(*) FILTER (WHERE outcome = 'released')::int AS released
  FROM "Run" WHERE "datasetId" = $1::uuid AND "createdAt" >= $2`;

const FAILURES = `SELECT id AS "runId", "finishedAt" AS at, coalesce("failureCode", 'internal') AS code,
    coalesce("failureMessage", '') AS message
  FROM "Run" WHERE "datasetId" = $1::uuid AND "createdAt" >= $2 AND state = 'failed'
  ORDER BY "finishedAt" DESC LIMIT 5`;

export async function runsSince(
  datasetId: string,
  since: Date,
): Promise<{ counts: RunCounts; lastFailures: FailedRun[] }> {
  const { pool } = await database();
  const [counted, failed] = await Promise.all([
    pool.query<RunCounts>(COUNTS, [datasetId, since]),
    pool.query<FailedRun>(FAILURES, [datasetId, since]),
  ]);
  const counts = counted.rows[0] ?? { count: 0, failed: 0, unchanged: 0, released: 0 };
  return { counts, lastFailures: failed.rows };
}

/** The run that ended last, and one that is waiting for somebody. */
export interface OpenEnds {
  lastRun: { runId: string; state: string; code: string | null; message: string | null } | null;
  waiting: { runId: string; state: string } | null;
}

export async function openEnds(datasetId: string): Promise<OpenEnds> {
  const { prisma } = await database();
  const [last, waiting] = await Promise.all([
    prisma.run.findFirst({
      where: { datasetId, finishedAt: { not: null }, state: { in: ["sealed", "failed"] } },
      orderBy: { finishedAt: "desc" },
    }),
    prisma.run.findFirst({
      where: { datasetId, state: { in: ["planned", "awaiting_approval"] } },
      orderBy: { createdAt: "desc" },
    }),
  ]);
  return {
    lastRun: last && { runId: last.id, state: last.state, code: last.failureCode, message: last.failureMessage },
    waiting: waiting && { runId: waiting.id, state: waiting.state },
  };
}

/** How each source was read in its last readings, newest first. */
export interface LastReadings {
  source: string;
  /** The outcomes of the last three good readings. */
  hows: string[];
  /** Failure of the last reading, if it failed. */
  failureCode: string | null;
  status: number | null;
}

const LAST = `SELECT source, (array_agg(how ORDER BY at DESC) FILTER (WHERE outcome = 'ok'))[1:3] AS hows,
    (array_agg(CASE WHEN outcome = 'failed' THEN coalesce("failureCode", 'internal') END ORDER BY at DESC))[1]
      AS "failureCode",
    (array_agg(CASE WHEN outcome = 'failed' THEN status END ORDER BY at DESC))[1] AS status
  FROM "SourceObservation" WHERE "datasetId" = $1::uuid AND at >= $2 GROUP BY source`;

export async function lastReadings(datasetId: string, since: Date): Promise<Map<string, LastReadings>> {
  const { pool } = await database();
  const { rows } = await pool.query<LastReadings>(LAST, [datasetId, since]);
  return new Map(rows.map((row) => [row.source, { ...row, hows: row.hows ?? [] }]));
}

/** What the checks of a release found. */
export interface CheckedRelease {
  versionId: string;
  sealedAt: Date;
  change: Change;
  checks: RunCheck[];
}

const CHECKED = `SELECT v.id AS "versionId", r."sealedAt", v.change::text AS change, r.checks
  FROM "Release" r JOIN "Version" v ON v.id = r."versionId"
  WHERE r."tableId" = $1::uuid AND v."withdrawnAt" IS NULL ORDER BY v.sequence DESC LIMIT $2`;

/** The newest releases of a table with what their checks found, oldest first. */
export async function checkedReleases(tableId: string, most: number): Promise<CheckedRelease[]> {
  const { pool } = await database();
  return (await pool.query<CheckedRelease>(CHECKED, [tableId, most])).rows.reverse();
}

/** The failed checks of a version's release, by name. */
export async function failedChecks(versionId: string): Promise<{ check: string; message: string }[]> {
  const { prisma } = await database();
  const release = await prisma.release.findUnique({ where: { versionId }, select: { checks: true } });
  const checks = (release?.checks ?? []) as { check: string; message: string; outcome: string }[];
  return checks.filter(({ outcome }) => outcome === "failed").map(({ check, message }) => ({ check, message }));
}
