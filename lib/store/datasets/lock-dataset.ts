import type { Transaction } from "@/lib/store/audit";

/**
 * Makes other changes of a dataset, and its deletion, wait until the transaction ends; false if there is no such
 * dataset. Rows that only refer to it, such as a run's or a reading's, can still be added: these would wait while they
 * hold what this transaction needs next, a deadlock. A transaction that locks other rows too locks the dataset first.
 */
export async function lockDataset(transaction: Transaction, id: string): Promise<boolean> {
  const found = await transaction.$queryRaw<unknown[]>`
    SELECT id FROM "Dataset" WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return found.length > 0;
}
