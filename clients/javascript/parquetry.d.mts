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
}
