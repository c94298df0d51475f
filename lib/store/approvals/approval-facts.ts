import { database } from "@/lib/store/postgres/database";

/** The first of a workspace's credentials whose hosts a person changed after an instant, according to the audit log. */
export async function hostsChangedSince(
  workspaceId: string,
  credentials: readonly string[],
  since: Date,
): Promise<string | undefined> {
  if (credentials.length === 0) return undefined;
  const { prisma } = await database();
  const found = await prisma.auditEvent.findFirst({
    where: { workspaceId, at: { gt: since }, action: "secret.hosts_changed", subject: { in: [...credentials] } },
    select: { subject: true },
  });
  return found?.subject ?? undefined;
}

/** The first of these tables (`dataset/table` or an id) whose licence changed after an instant, as `dataset/table`. */
export async function changedUpstreamLicence(tables: readonly string[], since: Date): Promise<string | undefined> {
  if (tables.length === 0) return undefined;
  const { pool } = await database();
  const { rows } = await pool.query<{ name: string }>(
    `SELECT d.slug || '/' || t.slug AS name FROM "Dataset" d JOIN "Table" t ON t."datasetId" = d.id
     JOIN "AuditEvent" e ON e."workspaceId" IS NOT DISTINCT FROM d."workspaceId" AND e.at > $2
       AND e.action = 'dataset.edited' AND e.subject = d.slug AND e.details -> 'changed' ? 'license'
       AND coalesce(e.details ->> 'table', t.slug) = t.slug
     WHERE d.slug || '/' || t.slug = ANY($1) OR t.id::text = ANY($1) LIMIT 1`,
    [tables, since],
  );
  return rows[0]?.name;
}

/** The licence that a source stated at its last read before an instant, and at its last read. */
export interface StatedLicence {
  source: string;
  before: string;
  now: string;
}

const LAST_READS = 50;

/** The licences that these sources of a dataset stated at the last reads before an instant, and at the last reads. */
export async function statedLicences(
  datasetId: string,
  sources: readonly string[],
  since: Date,
): Promise<StatedLicence[]> {
  if (sources.length === 0) return [];
  const { pool } = await database();
  const last = (until: string) => `LATERAL (SELECT r.license FROM (SELECT o.license, o.at FROM "SourceObservation" o
    WHERE o."datasetId" = $1::uuid AND o.source = s.source AND ${until} ORDER BY o.at DESC LIMIT ${LAST_READS}) r
    WHERE r.license IS NOT NULL ORDER BY r.at DESC LIMIT 1)`;
  const { rows } = await pool.query<StatedLicence>(
    `SELECT s.source, b.license AS before, n.license AS now FROM unnest($2::text[]) AS s(source)
     CROSS JOIN ${last("o.at <= $3")} b CROSS JOIN ${last("true")} n`,
    [datasetId, sources, since],
  );
  return rows;
}
