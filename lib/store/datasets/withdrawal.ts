import { fail } from "@/lib/kernel/errors";
import { type Author, audited, type Transaction } from "@/lib/store/audit";
import { refreshSearchText } from "@/lib/store/catalogue/search-text";
import { recordReleased } from "@/lib/store/news/news";
import { database } from "@/lib/store/postgres/database";
import { decided, type EventBy } from "./dataset-states";
import { makeCurrent, recordPromotion } from "./versions";
import { lockedState } from "./visibility";

export interface Withdrawal {
  dataset: string;
  table: string;
  versionId: string;
  withdrawnAt: Date;
  /** The current version after it; null if there is none, in which case the table reads as not found. */
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
 * Withdraws a version permanently: it cannot be read from the next request on. If it was the current one, the version
 * that was current before becomes current again (`findPrevious`). Undefined if there is no such version; repeating it
 * changes nothing. Fails with conflict if `expectedCurrent` is given and another version, or none, would be current
 * after it.
 */
export async function withdrawVersion(
  versionId: string,
  reason: string,
  author: Author,
  { expectedCurrent, ...by }: EventBy & { expectedCurrent?: string | null | undefined } = { caller: "operator" },
): Promise<Withdrawal | undefined> {
  return audited(
    author,
    async (transaction, audit) => {
      const [found] = await transaction.$queryRaw<Found[]>`
        SELECT d.id AS "datasetId", d.slug, d."workspaceId", t.id AS "tableId", t.slug AS "tableSlug",
          t."currentVersionId", v."withdrawnAt"
        FROM "Version" v JOIN "Table" t ON t.id = v."tableId" JOIN "Dataset" d ON d.id = t."datasetId"
        WHERE v.id = ${versionId}::uuid FOR NO KEY UPDATE OF d, t, v`;
      if (!found) return undefined;
      const { datasetId, slug, workspaceId, tableId, tableSlug } = found;
      decided("withdraw_version", await lockedState(transaction, datasetId), by);
      const names = { dataset: slug, table: tableSlug, versionId };
      if (found.withdrawnAt)
        return { ...names, withdrawnAt: found.withdrawnAt, currentVersionId: found.currentVersionId };
      const withdrawnAt = new Date();
      await transaction.version.update({ where: { id: versionId }, data: { withdrawnAt, withdrawnReason: reason } });
      const currentVersionId = await currentAfter(transaction, found, versionId, expectedCurrent);
      await makeCurrent(transaction, datasetId, tableId, currentVersionId);
      if (currentVersionId !== null && currentVersionId !== found.currentVersionId) {
        const promotedBy = { kind: author.actor, userId: author.userId ?? null };
        const entry = { tableId, versionId: currentVersionId, at: withdrawnAt, by: promotedBy };
        await recordPromotion(transaction, entry, "withdrawn");
        const tables = [{ tableId, versionId: currentVersionId, previousVersionId: found.currentVersionId }];
        await recordReleased(transaction, { datasetId, at: withdrawnAt, reason: "withdrawn", tables });
      }
      await refreshSearchText(transaction, datasetId);
      audit({
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

/** A table's current version once one is withdrawn. Fails with conflict if another one is expected. */
async function currentAfter(
  transaction: Transaction,
  { tableId, currentVersionId }: Found,
  withdrawn: string,
  expected: string | null | undefined,
): Promise<string | null> {
  const after =
    currentVersionId === withdrawn
      ? ((await previousOf(transaction, [tableId])).get(tableId) ?? null)
      : currentVersionId;
  if (expected !== undefined && expected !== after)
    throw fail("conflict", {
      message: `Another version than expected would be current after it: ${after ?? "none"}. Look at it again.`,
    });
  return after;
}

/** The version that becomes current if a table's current one is withdrawn, by table; absent if there is none. */
export const findPrevious = async (tableIds: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  previousOf((await database()).prisma, tableIds);

/** Of the versions that were current and are not withdrawn, the one that was promoted last before the current one. */
async function previousOf(
  reader: Pick<Transaction, "$queryRaw">,
  tableIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await reader.$queryRaw<{ id: string; tableId: string }[]>`
    SELECT DISTINCT ON (t.id) v.id, t.id AS "tableId" FROM "Version" v JOIN "Table" t ON t.id = v."tableId"
    WHERE t.id = ANY(${[...tableIds]}::uuid[]) AND v."withdrawnAt" IS NULL AND v."publishedAt" IS NOT NULL
      AND v.id IS DISTINCT FROM t."currentVersionId"
    ORDER BY t.id, (SELECT max(p.at) FROM "Promotion" p WHERE p."versionId" = v.id) DESC NULLS LAST, v.sequence DESC`;
  return new Map(found.map(({ id, tableId }) => [tableId, id]));
}
