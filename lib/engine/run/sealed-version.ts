import type { WithParquet } from "@/lib/engine/duckdb/with-parquet";
import type { EngineColumn } from "@/lib/engine/types/column-types";

/** An immutable version, as the catalogue records it. */
export interface SealedVersion {
  tableId: string;
  versionId: string;
  /** 64 hex digits. */
  digest: string;
  /** ISO 8601 with milliseconds. */
  publishedAt: string;
  rows: number;
  columns: readonly EngineColumn[];
  /** The columns that the rows were sorted by when the version was sealed, ascending with nulls last. */
  orderBy?: readonly string[];
  /** Columns that no two rows share, if any were declared. */
  primaryKey?: readonly string[];
  /** The versions of other tables that its query looks columns up in, in the body's order. */
  lookups?: readonly SealedVersion[];
  /** Numbers of distinct values by column, for those that are known. Without them, notes name no near values. */
  distinctCounts?: () => Promise<Readonly<Record<string, number>>>;
  withParquet: WithParquet;
  copyPath: string;
}
