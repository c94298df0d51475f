import { fail } from "@/lib/kernel/errors";
import { type AuditLog, type Author, audited, type Transaction } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";

/** The names of a version in addition to its id, and when it was current. */
export interface VersionNames {
  versionId: string;
  tableSlug: string;
  sequence: number;
  label: string | null;
  otherLabels: string[];
  publishedAt: Date;
  withdrawnAt: Date | null;
  /** When it became current: at its publication, and whenever it was promoted again. */
  currentFrom: Date[];
}

const NAMES = `SELECT v.id AS "versionId", t.slug AS "tableSlug", v.sequence, v.label, v."otherLabels", v."publishedAt",
    v."withdrawnAt", ARRAY[v."publishedAt"] || ARRAY(SELECT p.at FROM "Promotion" p WHERE p."versionId" = v.id)
      AS "currentFrom"
  FROM "Version" v JOIN "Table" t ON t.id = v."tableId"`;

/**
 * The names of all published versions of a table, or of all tables of a dataset, withdrawn ones included; newest first.
 */
export async function listVersionNames(of: { tableId: string } | { datasetId: string }): Promise<VersionNames[]> {
  const { pool } = await database();
  const [condition, id] = "tableId" in of ? [`t.id`, of.tableId] : [`t."datasetId"`, of.datasetId];
  const { rows } = await pool.query<VersionNames>(
    `${NAMES} WHERE ${condition} = $1::uuid AND v."publishedAt" IS NOT NULL
     ORDER BY t.position, t.slug, v.sequence DESC`,
    [id],
  );
  return rows;
}

/** The texts about a version. An absent member is left unchanged; null removes one. */
export interface VersionTexts {
  label?: string | null | undefined;
  notes?: string | null | undefined;
}

type Named = Pick<VersionNames, "label" | "otherLabels"> & { notes: string | null };

/** The texts of an edited version, and where it is. */
export interface LabelledVersion {
  dataset: string;
  table: string;
  /** The names of the members that changed. */
  changed: string[];
}

/**
 * Changes the given texts of a version; undefined if there is no such version. Rejects with `version_withdrawn`, and
 * with `conflict` if another version of the table has the label.
 */
export async function editVersion(
  versionId: string,
  texts: VersionTexts,
  author: Author,
): Promise<LabelledVersion | undefined> {
  return audited(author, async (transaction, audit) => {
    const [found] = await transaction.$queryRaw<LocatedVersion[]>`
      SELECT d.slug AS dataset, d."workspaceId", t.id AS "tableId", t.slug AS "table", v."withdrawnAt"
      FROM "Version" v JOIN "Table" t ON t.id = v."tableId" JOIN "Dataset" d ON d.id = t."datasetId"
      WHERE v.id = ${versionId}::uuid FOR NO KEY UPDATE OF d, v`;
    if (!found) return undefined;
    const { dataset, table, tableId, workspaceId } = found;
    if (found.withdrawnAt)
      throw fail("version_withdrawn", { message: "This version was withdrawn and can no longer be changed." });
    const { changed } = await labelVersion(transaction, { tableId, versionId }, texts, { released: false });
    if (changed.length > 0)
      audit({
        action: "version.edited",
        subject: versionId,
        workspaceId: workspaceId ?? undefined,
        details: { dataset, table, changed, ...(changed.includes("label") && { label: texts.label ?? null }) },
      });
    return { dataset, table, changed };
  });
}

/**
 * Adds a release's label to the version with its content, unless that version was withdrawn. A label that another
 * version of the table has remains with that one.
 */
export async function addReleaseLabel(
  transaction: Transaction,
  audit: AuditLog,
  versionId: string,
  label: string,
): Promise<void> {
  const [found] = await transaction.$queryRaw<LocatedVersion[]>`
    SELECT d.slug AS dataset, d."workspaceId", t.id AS "tableId", t.slug AS "table", v."withdrawnAt"
    FROM "Version" v JOIN "Table" t ON t.id = v."tableId" JOIN "Dataset" d ON d.id = t."datasetId"
    WHERE v.id = ${versionId}::uuid AND v."withdrawnAt" IS NULL FOR NO KEY UPDATE OF d, v`;
  if (!found) return;
  const { dataset, table, tableId, workspaceId } = found;
  if (await versionLabelled(transaction, tableId, versionId, label)) return;
  const { changed } = await labelVersion(transaction, { tableId, versionId }, { label }, { released: true });
  const about = { subject: versionId, workspaceId: workspaceId ?? undefined };
  if (changed.length > 0) audit({ action: "version.edited", ...about, details: { dataset, table, changed, label } });
}

interface LocatedVersion {
  dataset: string;
  table: string;
  tableId: string;
  workspaceId: string | null;
  withdrawnAt: Date | null;
}

/**
 * Sets the given texts of a version, while the lock of its dataset's row is held. Returns its label and what changed.
 * `released`: the label belongs to another release of the same content, so an existing label is kept and the new one is
 * added. Rejects with `conflict` if another version of the table has the label.
 */
export async function labelVersion(
  transaction: Transaction,
  { tableId, versionId }: { tableId: string; versionId: string },
  texts: VersionTexts,
  { released }: { released: boolean },
): Promise<{ label: string | null; changed: string[] }> {
  await rejectTakenLabel(transaction, tableId, versionId, texts.label);
  const before = await transaction.version.findUniqueOrThrow({
    where: { id: versionId },
    select: { label: true, otherLabels: true, notes: true },
  });
  const after = textsAfter(before, texts, released);
  const changed = (["label", "otherLabels", "notes"] as const).filter(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  );
  if (changed.length > 0) await transaction.version.update({ where: { id: versionId }, data: after });
  return { label: after.label, changed: changed.map((name) => (name === "otherLabels" ? "other_labels" : name)) };
}

function textsAfter(before: Named, { label, notes = before.notes }: VersionTexts, released: boolean): Named {
  if (label === undefined || label === before.label) return { ...before, notes };
  const { otherLabels: others } = before;
  if (released && before.label !== null && label !== null)
    return { ...before, otherLabels: others.includes(label) ? others : [...others, label], notes };
  return { label, otherLabels: others.filter((other) => other !== label), notes };
}

/**
 * A label distinguishes one version of a table from all others, including those that carry it as an additional label.
 */
async function rejectTakenLabel(
  transaction: Transaction,
  tableId: string,
  versionId: string,
  label: string | null | undefined,
): Promise<void> {
  const taken = typeof label === "string" && (await versionLabelled(transaction, tableId, versionId, label));
  if (taken)
    throw fail("conflict", {
      message:
        `Label already used: ${label} is version ${taken.sequence} of this table. ` +
        "Use another label, or change that version's with `parquetry version edit`.",
    });
}

/** The other version of a table that has a label. */
const versionLabelled = (transaction: Transaction, tableId: string, versionId: string, label: string) =>
  transaction.version.findFirst({
    where: { tableId, id: { not: versionId }, OR: [{ label }, { otherLabels: { has: label } }] },
    select: { sequence: true },
  });
