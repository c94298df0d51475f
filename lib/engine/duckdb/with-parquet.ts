/**
 * Runs `read` on the path of a version's Parquet file, which remains valid until it settles. Rejects if the file is not
 * the one that was published: a changed byte may decode to other values without an error.
 */
export type WithParquet = <T>(read: (path: string) => Promise<T>) => Promise<T>;
