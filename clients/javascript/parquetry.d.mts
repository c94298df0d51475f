import type { CataloguedDataset, Dataset, Query, QueryReply, TableSchema, VersionEntry } from "./api.js";

export type * from "./api.js";

/** A request that the service rejected: its status, its error code, and every fault that it named. */
export class ParquetryError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly { pointer?: string; code?: string; message: string }[];
  readonly requestId: string | undefined;
}

/** A row by its columns' names; integers that a number cannot hold are BigInts. */
export type Row = Record<string, unknown>;

/** A query; without `columns` (and aggregates) all columns. */
export type Asked = Partial<Query>;

/** A service. Without `key`, the variable PARQUETRY_KEY, or none at all. */
export class Parquetry {
  readonly base: string;
  readonly hasKey: boolean;
  constructor(options?: { base?: string; key?: string | undefined });
  /** Datasets that match the words, best first; all of them without words. */
  search(q?: string, filters?: Record<string, string | string[]>): AsyncGenerator<CataloguedDataset>;
  /** A dataset with its tables, licence, publisher and citation. */
  dataset(slug: string): Promise<Dataset>;
  /** A table by its id, by `dataset/table`, or by its dataset where that has one table. */
  table(name: string): Promise<Table>;
}

/** One table. Queries read its current version; `version_id` among their members pins another. */
export class Table {
  readonly id: string;
  /** Columns with types, units, operators and profiles; `table` has version, digest, rows and bytes. */
  schema(version?: string): Promise<TableSchema>;
  versions(): Promise<VersionEntry[]>;
  /** The replies to a query, page by page, all of one version; from a page's `next_cursor` on, given as `cursor`. */
  pages(query?: Asked): AsyncGenerator<QueryReply>;
  /** The rows of a query, page after page; with `limit` those of one page. */
  rows(query?: Asked): AsyncGenerator<Row>;
  /**
   * The whole Parquet file at `path`. A download that was cut goes on where it ended; what is returned has the
   * published digest. Needs a key.
   */
  download(path: string, version?: string): Promise<string>;
}
