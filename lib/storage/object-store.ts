/**
 * An open object, to be closed by the caller that opened it. It never returns another object's bytes: if the object is
 * replaced or removed, it keeps reading the same one (a file), or a read rejects with ENOENT (an object of S3).
 */
export interface BlobHandle {
  bytes: number;
  /** The descriptor, if there is one: a hash thread then reads the object itself. */
  fd?: number;
  /** Fills `buffer` from `offset` with up to `length` bytes of the object from `position`; returns 0 at its end. */
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  /**
   * A value that changes with every change of the stored bytes, and the time of their last change. Undefined if the
   * storage cannot tell; the object is then hashed at every use.
   */
  identity(): { mark: string; changedAtMs: number } | undefined;
  close(): Promise<void>;
}

export interface StoredObject {
  key: string;
  bytes: number;
  changedAtMs: number;
}

/** An entry that is no object: what an interrupted `put` has left, or a name that is no key. */
export interface Stray {
  name: string;
  changedAtMs: number;
  remove(): Promise<void>;
}

export interface PutOptions {
  /** The source file stays where it is. */
  keep?: boolean;
  /** As `keep`, for a file that others can still write to: the stored bytes are never shared with it. */
  copy?: boolean;
}

/**
 * Where files are stored by key, such as `blobs/0a/0a….parquet`: names with slashes, which the store's own place (a
 * data folder, a bucket) precedes. A driver implements every method; `object-store.test.ts` is its contract.
 */
export interface ObjectStore {
  /**
   * Stores a file's bytes durably and replaces what is stored under that key, which repairs a damaged object. Rejects
   * with `integrity_failure` if their SHA-256 is not `digest`. The source file may be gone afterwards, unless `keep`.
   */
  put(key: string, digest: string, fromFile: string, options?: PutOptions): Promise<void>;
  /** The stored size; undefined if there is no such object. */
  stat(key: string): Promise<{ bytes: number } | undefined>;
  /** Rejects with ENOENT if there is no such object. */
  open(key: string): Promise<BlobHandle>;
  /**
   * Runs `work` on a path of the object with that SHA-256, which is valid until `work` settles. The bytes are not
   * verified: see `withProvenPath`.
   */
  withLocalPath<T>(key: string, digest: string, work: (path: string) => Promise<T>): Promise<T>;
  /** The folder of all local paths of objects whose keys begin with `prefix`. */
  localFolder(prefix: string): string;
  /** The objects whose keys begin with `prefix`, which ends with a slash. */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** The other entries below a prefix, which ends with a slash. */
  strays(prefix: string): AsyncIterable<Stray>;
  /** Does nothing if there is no such object. */
  remove(key: string): Promise<void>;
  /** Removes everything below a prefix, which ends with a slash. */
  removeAll(prefix: string): Promise<void>;
}
