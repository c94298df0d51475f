import { type Author, audited } from "./audit";
import { refreshSearchText } from "./search-text";
import { makeCurrent } from "./versions";

export interface Withdrawal {
  dataset: string;
  table: string;
  versionId: string;
  withdrawnAt: Date;
  /** The newest version that is not withdrawn; null where there is none, and the table reads as not found. */
  currentVersionId: string | null;
}

interface Found {
  datasetId: string;
  slug: string;
  workspaceId: string | null;
  tableId: string;
  tableSlug: string;
  currentVersionId: string | null;
  withdrawnAt: Date | null;
}

const WITHDRAWAL_MS = 60_000; // a publication of the same dataset may hold its row for a while

/**
 * Marks a version withdrawn, for good: it is read no more from the next request on. Where it was the current one, the
 * newest one that is not withdrawn becomes current. Undefined when there is no such version; a second time changes
 * nothing.
 */
export async function withdrawVersion(
  versionId: string,
  reason: string,
  author: Author,
): Promise<Withdrawal | undefined> {
  return audited(
    author,
    async (transaction, note) => {
      const [found] = await transaction.$queryRaw<Found[]>`
        SELECT d.id AS "datasetId", d.slug, d."workspaceId", t.id AS "tableId", t.slug AS "tableSlug",
          t."currentVersionId", v."withdrawnAt"
        FROM "Version" v JOIN "Table" t ON t.id = v."tableId" JOIN "Dataset" d ON d.id = t."datasetId"
        WHERE v.id = ${versionId}::uuid FOR UPDATE OF d, t, v`;
      if (!found) return undefined;
      const { datasetId, slug, workspaceId, tableId, tableSlug } = found;
      const names = { dataset: slug, table: tableSlug, versionId };
      if (found.withdrawnAt)
        return { ...names, withdrawnAt: found.withdrawnAt, currentVersionId: found.currentVersionId };
      const withdrawnAt = new Date();
      await transaction.version.update({ where: { id: versionId }, data: { withdrawnAt, withdrawnReason: reason } });
      const newest = await transaction.version.findFirst({
        where: { tableId, withdrawnAt: null },
        orderBy: { sequence: "desc" },
        select: { id: true },
      });
      const currentVersionId = newest?.id ?? null;
      await makeCurrent(transaction, datasetId, tableId, currentVersionId);
      await refreshSearchText(transaction, datasetId);
      note({
        action: "version.withdrawn",
        subject: versionId,
        workspaceId: workspaceId ?? undefined,
        details: { dataset: slug, table: tableSlug, reason, current_version_id: currentVersionId },
      });
      return { ...names, withdrawnAt, currentVersionId };
    },
    { timeoutMs: WITHDRAWAL_MS },
  );
}
