import type { CataloguedDataset, Dataset, Query, QueryReply, TableSchema, VersionEntry } from "./api.js";

export type * from "./api.js";

/** A request that the service rejected: its status, its error code, and every fault that it named. */
export class ParquetryError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly { pointer?: string; code?: string; message: string }[];
  readonly requestId: string | undefined;
}

/** A row by column name; integers that do not fit in a number are BigInts. */
export type Row = Record<string, unknown>;

/** A query; without `columns` and aggregates, all columns. */
export type Asked = Partial<Query>;

/** What bringing a copy up to date did. */
export interface Synced {
  version_id: string;
  rows: number;
  /** The number of changes that were applied. */
  changes: number;
  /** Why all rows were read instead; null if they were not. */
  whole: string | null;
}

/** A service. `key` defaults to the variable PARQUETRY_KEY; without either, no key is sent. */
export class Parquetry {
  readonly base: string;
  readonly hasKey: boolean;
  constructor(options?: { base?: string; key?: string | undefined });
  /** Datasets that match the words, best first; all of them without words. */
  search(q?: string, filters?: Record<string, string | string[]>): AsyncGenerator<CataloguedDataset>;
  /** A dataset with its tables, licence, publisher and citation. */
  dataset(slug: string): Promise<Dataset>;
  /** A table by its id, by `dataset/table`, or by its dataset if that has a single table. */
  table(name: string): Promise<Table>;
}

/** One table. Queries read its current version; `version_id` among their members pins another. */
export class Table {
  readonly id: string;
  /** Columns with types, units, operators and profiles; `table` has version, digest, rows and bytes. */
  schema(version?: string): Promise<TableSchema>;
  versions(): Promise<VersionEntry[]>;
  /** The replies to a query, page by page, all of one version; from `cursor` (a page's `next_cursor`) on, if given. */
  pages(query?: Asked): AsyncGenerator<QueryReply>;
  /** The rows of a query, from all pages; with `limit`, those of a single page. */
  rows(query?: Asked): AsyncGenerator<Row>;
  /**
   * The whole Parquet file at `path`. An interrupted download is resumed; the file has the published digest. Needs a
   * key.
   */
  download(path: string, version?: string): Promise<string>;
  /**
   * Brings the copy at `path` to the current version, or to `version`. A `.parquet` file is the published one; a
   * `.sqlite`, `.db` or `.duckdb` file (which needs the package @duckdb/node-api) has the rows in its table `data`. A
   * copy of another version gets only what has changed since, in one transaction, if the table has a key. In every
   * other case, or with `whole`, all rows are read again and replace the copy at once. Needs a key. If it is killed,
   * call it again.
   */
  sync(path: string, options?: { version?: string | undefined; whole?: boolean | undefined }): Promise<Synced>;
}
