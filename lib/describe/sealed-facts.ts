import type { DatasetRecord } from "@/lib/store/catalogue/catalogue";

/** Facts about a table's current version that its entry does not contain. */
export interface SealedFacts {
  /** SHA-256 in hex. */
  digest: string;
  primaryKey: readonly string[];
}

/** The facts of a dataset's tables, by table id. */
export function sealedFacts({ tables }: DatasetRecord): (tableId: string) => SealedFacts {
  const facts = new Map(
    tables.map(({ id, currentVersion }) => [
      id,
      { digest: currentVersion?.digest ?? "", primaryKey: currentVersion?.primaryKey ?? [] },
    ]),
  );
  return (tableId) => facts.get(tableId) ?? { digest: "", primaryKey: [] };
}
