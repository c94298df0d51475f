import { isTooLarge } from "@/lib/limits/download-size";
import type { ActivationReceipt } from "@/lib/schemas/activation";
import type { ActivatedTable } from "@/lib/store/datasets/activations";
import type { BuiltDataset } from "@/lib/store/datasets/built-datasets";

/** Where the hosted table API serves a table, by its hosted id. */
export const hostedPaths = (hostedId: string): { current_path: string; freshness_path: string } => ({
  current_path: `/api/v2/tables/${hostedId}/current`,
  freshness_path: `/api/v2/tables/${hostedId}/freshness`,
});

/** The receipt of an activation. */
export const receiptOf = (activated: ActivatedTable): ActivationReceipt => ({
  table: activated.table,
  dataset_id: activated.datasetId,
  table_id: activated.tableId,
  ...hostedPaths(activated.hostedId),
  activated_at: activated.activatedAt.toISOString(),
  warning: isTooLarge(activated.bytes ?? 0) ? "hosted_too_large" : null,
});

/** The receipt of a table that is active now; null for one that is not. */
export function receiptOfTable(table: BuiltDataset["tables"][number]): ActivationReceipt | null {
  const { activation, currentVersion, slug, datasetId, id } = table;
  if (!activation || activation.deactivatedAt) return null;
  return receiptOf({
    ...{ table: slug, datasetId, tableId: id, hostedId: activation.id, activatedAt: activation.activatedAt },
    bytes: currentVersion ? Number(currentVersion.bytes) : null,
  });
}
