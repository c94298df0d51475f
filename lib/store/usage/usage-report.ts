import { readableBy } from "@/lib/store/datasets/readable";
import { lookUp } from "@/lib/store/postgres/database";
import { flushUsage } from "./usage-buffer";

export interface UsageCounts {
  queries: number;
  downloads: number;
  /** Rows and JSON bytes of query replies, and bytes of downloads. */
  rows: number;
  bytes: number;
}

/** A sum over the entire span, and over its last day only. */
export interface UsageSums extends UsageCounts {
  lastDay: UsageCounts;
}

export interface UsageReport {
  total: UsageSums;
  /** Every day of the span in order, including those without usage. */
  days: (UsageCounts & { day: string })[];
  /** Most used first. The names are null if the workspace may no longer read the table. */
  tables: (UsageSums & {
    tableId: string;
    tableSlug: string | null;
    tableName: string | null;
    datasetSlug: string | null;
    datasetTitle: string | null;
  })[];
  /** Most used first, including revoked ones. */
  keys: (UsageSums & Reader)[];
}

/** A key, or an agent's connection, which has no prefix and suffix. All fields are null if it is no longer stored. */
interface Reader {
  keyId: string;
  kind: string | null;
  name: string | null;
  first4: string | null;
  last4: string | null;
  /** The owner; null also for a key of the workspace itself. */
  userId: string | null;
  revokedAt: Date | null;
}

/** Days in UTC such as 2026-11-20, inclusive. */
export interface Span {
  from: string;
  to: string;
}

const SUMS = ["queries", "downloads", "rows", "bytes"]
  .map(
    (field) =>
      `COALESCE(sum(${field}), 0)::float8 AS ${field}, COALESCE(sum(${field}) FILTER (WHERE day = $3), ` +
      `0)::float8 AS "${field}OfLastDay"`,
  )
  .join(", ");

const REPORT = `WITH span AS (
    SELECT day, "tableId", "keyId", ${SUMS} FROM "Usage" WHERE "workspaceId" = $1 AND day BETWEEN $2 AND $3
    GROUP BY GROUPING SETS ((), (day), ("tableId"), ("keyId")))
  SELECT s.*, to_char(s.day, 'YYYY-MM-DD') AS day, t.slug AS "tableSlug", t.name AS "tableName", d.slug AS
    "datasetSlug", d.title AS "datasetTitle",
    COALESCE(k.kind::text, CASE WHEN o.kind = 'builtin' THEN 'device' WHEN a.id IS NOT NULL THEN 'agent'
      WHEN p.id IS NOT NULL THEN 'browser' END) AS kind,
      COALESCE(k.name, a."deviceName", o.name, p.name, p.email) AS name, k.first4, k.last4,
    COALESCE(k."userId", a."userId", p.id) AS "userId", COALESCE(k."revokedAt", a."revokedAt") AS "revokedAt"
  FROM span s LEFT JOIN ("Table" t JOIN "Dataset" d ON d.id = t."datasetId" AND ${readableBy("$1")}) ON t.id =
    s."tableId"
    LEFT JOIN "AccessKey" k ON k.id = s."keyId"
    LEFT JOIN ("AgentConnection" a JOIN "OAuthClient" o ON o.id = a."clientId") ON a.id = s."keyId"
    LEFT JOIN "User" p ON p.id = s."keyId" ORDER BY s.queries
      + s.downloads DESC, s."tableId", s."keyId"`;

interface Row extends UsageCounts, Omit<Reader, "keyId"> {
  queriesOfLastDay: number;
  downloadsOfLastDay: number;
  rowsOfLastDay: number;
  bytesOfLastDay: number;
  day: string | null;
  tableId: string | null;
  tableSlug: string | null;
  tableName: string | null;
  datasetSlug: string | null;
  datasetTitle: string | null;
  keyId: string | null;
}

/**
 * What a workspace's keys and agents read in a span of days: in total, by day, by table and by key. One round trip,
 * after this process's own pending usage is written.
 */
export async function usageOf(workspaceId: string, span: Span): Promise<UsageReport> {
  await flushUsage().catch(() => undefined); // it is retried soon; what is already written can be shown
  const rows = await lookUp<Row>("usage-report", REPORT, [workspaceId, span.from, span.to]);
  const ofDay = new Map(rows.flatMap((row) => (row.day === null ? [] : [[row.day, countsOf(row)] as const])));
  return {
    total: sumsOf(rows.find(({ day, tableId, keyId }) => day === null && tableId === null && keyId === null)),
    days: daysOf(span).map((day) => ({ day, ...(ofDay.get(day) ?? NONE) })),
    tables: rows.flatMap(({ tableId, tableSlug, tableName, datasetSlug, datasetTitle, ...row }) =>
      tableId === null ? [] : [{ tableId, tableSlug, tableName, datasetSlug, datasetTitle, ...sumsOf(row) }],
    ),
    keys: rows.flatMap(({ keyId, kind, name, first4, last4, userId, revokedAt, ...row }) =>
      keyId === null ? [] : [{ keyId, kind, name, first4, last4, userId, revokedAt, ...sumsOf(row) }],
    ),
  };
}

const NONE: UsageCounts = { queries: 0, downloads: 0, rows: 0, bytes: 0 };

const countsOf = ({ queries, downloads, rows, bytes }: UsageCounts): UsageCounts => ({
  queries,
  downloads,
  rows,
  bytes,
});

type Sums = UsageCounts & Pick<Row, "queriesOfLastDay" | "downloadsOfLastDay" | "rowsOfLastDay" | "bytesOfLastDay">;

function sumsOf(row: Sums | undefined): UsageSums {
  if (!row) return { ...NONE, lastDay: NONE };
  const lastDay = {
    queries: row.queriesOfLastDay,
    downloads: row.downloadsOfLastDay,
    rows: row.rowsOfLastDay,
    bytes: row.bytesOfLastDay,
  };
  return { ...countsOf(row), lastDay };
}

function daysOf({ from, to }: Span): string[] {
  const days: string[] = [];
  for (let day = new Date(from); day <= new Date(to); day = new Date(day.getTime() + 86_400_000))
    days.push(day.toISOString().slice(0, 10));
  return days;
}
