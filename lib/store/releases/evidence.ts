import { processCache } from "@/lib/kernel/cache";
import { recall, remember } from "@/lib/store/caches/cached-answers";
import { database } from "@/lib/store/postgres/database";

/** One reading of one source: all the pieces of it that a run read. */
export interface StoredReading {
  datasetId: string;
  source: string;
  at: Date;
  ok: boolean;
  /** Whether it brought a change; null if that is unknown, as for the first reading and failed ones. */
  changed: boolean | null;
  /** Digest of the raw bytes, if the source is one piece. */
  digest: string | null;
  /** The release of an installed package that was read in place of the source, as if at its release date. */
  replayed: string | null;
}

const READINGS_MAX = 400;
/** More runs than can be in progress or waiting at once. */
const RUNS_STAMPED = 5;
/** Maximum number of readings in memory, over all datasets. */
const CACHED_MAX = 200_000;

/**
 * A piece that was never there before counts as a change only in a refresh, not in the first reading: a build reads
 * everything its recipe names for the first time, however long it has existed.
 */
const READINGS = `WITH pieces AS (
    SELECT o."datasetId", o.source, o.at, o.outcome = 'ok' AS ok, coalesce(o."runId", o.id) AS reading,
      coalesce(o.changed, false) AND (o.how <> 'first' OR (r.kind IS DISTINCT FROM 'build' AND o.at = min(o.at)
        FILTER (WHERE o.outcome = 'ok') OVER (PARTITION BY o."datasetId", o.source, coalesce(o.partition, ''))))
        AS changed, o."rawDigest" AS digest,
      r.plan->'installed'->>'version' AS replayed
    FROM "SourceObservation" o LEFT JOIN "Run" r ON r.id = o."runId" WHERE o."datasetId" = ANY($1::uuid[])
  ), readings AS (
    SELECT "datasetId", source, max(at) AS at, bool_and(ok) AS ok, bool_or(changed) AS changed,
      max(digest) AS digest, max(replayed) AS replayed
    FROM pieces GROUP BY "datasetId", source, reading
  ), numbered AS (
    SELECT *, count(*) FILTER (WHERE ok) OVER (PARTITION BY "datasetId", source ORDER BY at ROWS UNBOUNDED PRECEDING)
        AS good, row_number() OVER (PARTITION BY "datasetId", source ORDER BY at DESC) AS place
    FROM readings)
  SELECT "datasetId", source, at, ok, CASE WHEN ok AND good > 1 THEN changed END AS changed, digest, replayed
  FROM numbered WHERE place <= ${READINGS_MAX} ORDER BY at`;

/**
 * Every read in a run is followed by one of its events, so the event sequence shows whether anything was read since.
 */
const STAMPS = `SELECT d.id AS "datasetId", coalesce((SELECT string_agg(r.id || ' ' || r."eventSeq", ',')
    FROM (SELECT id, "eventSeq" FROM "Run" WHERE "datasetId" = d.id
      ORDER BY "createdAt" DESC LIMIT ${RUNS_STAMPED}) r), '')
    AS stamp
  FROM unnest($1::uuid[]) AS d(id)`;

/** A source of thousands of pages has hundreds of thousands of observations, so they are read once after each event. */
const cached = () =>
  processCache<readonly StoredReading[]>("readings", { capacity: CACHED_MAX, sizeOf: ({ length }) => length + 1 });

/** The newest readings of each source of these datasets, oldest first. */
export async function readingsOf(datasetIds: readonly string[]): Promise<StoredReading[]> {
  const { pool } = await database();
  const { rows: stamps } = await pool.query<{ datasetId: string; stamp: string }>(STAMPS, [datasetIds]);
  const known = stamps.map((one) => ({ ...one, readings: cached().find(one.datasetId, one.stamp) }));
  const changed = known.filter(({ readings }) => readings === undefined);
  const ids = changed.map(({ datasetId }) => datasetId);
  const { rows } = ids.length > 0 ? await pool.query<StoredReading>(READINGS, [ids]) : { rows: [] };
  const read = Map.groupBy(rows, ({ datasetId }) => datasetId);
  for (const { datasetId, stamp } of changed) cached().store(datasetId, read.get(datasetId) ?? [], stamp);
  return known.flatMap(({ datasetId, readings }) => readings ?? read.get(datasetId) ?? []);
}

/** What is known about a built dataset besides its readings. */
export interface StoredEvidence {
  datasetId: string;
  workspaceId: string;
  /** Canonical JSON of the approved recipe, or of the one that produced what is current if none is approved. */
  document: string;
  /** When that recipe was approved. */
  approvedAt: Date | null;
  /** When the first recipe was approved. */
  firstApprovedAt: Date | null;
  /** The outcome of the last refresh that ended. */
  lastRefresh: { failed: boolean; at: string } | null;
  /** Whether it is read at most once a day, because its runs keep failing. */
  isSlowed: boolean;
  tables: StoredRelease[];
}

/** The current release of a table. */
export interface StoredRelease {
  tableId: string;
  slug: string;
  sealedAt: string;
  /** As YYYY-MM-DD. */
  dataThrough: string | null;
  continuity: string;
  digest: string;
}

const EVIDENCE = `SELECT b."datasetId", b."workspaceId", v.document, v."approvedAt",
    (SELECT min("approvedAt") FROM "RecipeRevision" f WHERE f."datasetId" = b."datasetId") AS "firstApprovedAt",
    (SELECT json_build_object('failed', r.state = 'failed', 'at', r."finishedAt") FROM "Run" r
      WHERE r."datasetId" = b."datasetId" AND r.kind = 'refresh' AND r.state IN ('sealed', 'failed')
      ORDER BY r."finishedAt" DESC LIMIT 1) AS "lastRefresh",
    EXISTS (SELECT 1 FROM "Schedule" s WHERE s."datasetId" = b."datasetId" AND s."slowedAt" IS NOT NULL) AS "isSlowed",
    coalesce((SELECT json_agg(json_build_object('tableId', t.id, 'slug', t.slug, 'sealedAt', l."sealedAt",
        'dataThrough', l."dataThrough"::text, 'continuity', l.continuity, 'digest', c.digest))
      FROM "Table" t JOIN "Version" c ON c.id = t."currentVersionId" AND c."withdrawnAt" IS NULL
      JOIN "Release" l ON l."versionId" = c.id WHERE t."datasetId" = b."datasetId"), '[]') AS tables
  FROM "Build" b CROSS JOIN LATERAL (
    SELECT n.document, n."approvedAt" FROM "RecipeRevision" n WHERE n."datasetId" = b."datasetId"
    ORDER BY (n.state = 'approved') DESC, n."approvedAt" DESC NULLS LAST, n.number DESC LIMIT 1) v
  WHERE b."datasetId" = ANY($1::uuid[])`;

/** Null for a dataset that is not built by a recipe, or has none. */
interface CachedEvidence {
  evidence: StoredEvidence | null;
}

const cacheName = (datasetId: string): string => `evidence ${datasetId}`;

/**
 * The evidence for verdicts on these datasets. Datasets that are not built by recipes, or have none, are absent.
 * Evidence that was read under this generation comes from memory.
 */
export async function storedEvidence(datasetIds: readonly string[], under?: string): Promise<StoredEvidence[]> {
  const known = datasetIds.map((id) => ({ id, cached: recall<CachedEvidence>(cacheName(id), under) }));
  const missing = known.filter(({ cached: before }) => !before).map(({ id }) => id);
  const read = missing.length > 0 ? await readEvidence(missing) : [];
  for (const id of missing) {
    const evidence = read.find(({ datasetId }) => datasetId === id) ?? null;
    remember<CachedEvidence>(cacheName(id), under, { evidence });
  }
  return [...known.flatMap(({ cached: before }) => before?.evidence ?? []), ...read];
}

async function readEvidence(datasetIds: readonly string[]): Promise<StoredEvidence[]> {
  const { pool } = await database();
  return (await pool.query<StoredEvidence>(EVIDENCE, [datasetIds])).rows;
}
