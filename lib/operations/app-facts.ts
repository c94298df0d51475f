/** A column as the connector's app shows it. */
interface AppColumn {
  name: string;
  type: string;
  unit: string | null;
}

/** The table of a result, and the page of the service that shows the same. */
interface AppTable {
  dataset: string;
  name: string;
  page: string;
}

/** What the connector's app needs in addition to a tool's structured content. No model reads it. */
export type AppFacts =
  | {
      kind: "rows";
      table: AppTable;
      versionId: string;
      /** The table's own columns that the query or its result names, plus one more if there is one. */
      columns: readonly AppColumn[];
      /** The arguments without the table, numbers with their digits. */
      query: Readonly<Record<string, unknown>>;
    }
  | { kind: "versions"; table: AppTable /** Keyed by version id. */; digests: Readonly<Record<string, string>> }
  | { kind: "comparison"; table: AppTable };
