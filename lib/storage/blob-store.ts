import { env } from "@/lib/kernel/env";
import { processWide } from "@/lib/kernel/process-wide";
import { filesystemBlobs } from "./filesystem-blobs";
import { s3Blobs } from "./s3-blobs";

/**
 * An open blob, to be closed by the caller that opened it. It never returns another blob's bytes: if the blob is
 * replaced or removed, it keeps reading the same one (a file), or a read rejects with ENOENT (an object).
 */
export interface BlobHandle {
  bytes: number;
  /** The descriptor, if there is one: a hash thread then reads the blob itself. */
  fd?: number;
  /** Fills `buffer` from `offset` with up to `length` bytes of the blob from `position`; returns 0 at its end. */
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  /**
   * A value that changes with every change of the stored bytes, and the time of their last change. Undefined if the
   * storage cannot tell; the blob is then hashed at every use.
   */
  identity(): { mark: string; changedAtMs: number } | undefined;
  close(): Promise<void>;
}

export interface StoredBlob {
  /** SHA-256 of the bytes, 64 hex digits. */
  digest: string;
  bytes: number;
  changedAtMs: number;
}

/** An entry among the blobs that is not a blob, judging by folder and name. */
export interface Stray {
  name: string;
  changedAtMs: number;
  remove(): Promise<void>;
}

/**
 * Where sealed Parquet files are stored, by SHA-256. A driver implements every method; `blob-store.test.ts` is its
 * contract.
 */
export interface BlobStore {
  /**
   * Stores a file's bytes durably and replaces what is stored under that digest, which repairs a damaged blob. The
   * source file may be gone afterwards, unless `keep`. Rejects with `integrity_failure` if its digest differs.
   */
  put(digest: string, fromFile: string, options?: { keep?: boolean }): Promise<void>;
  /** The stored size; undefined if there is no such blob. */
  stat(digest: string): Promise<{ bytes: number } | undefined>;
  /** Rejects with ENOENT if there is no such blob. */
  open(digest: string): Promise<BlobHandle>;
  /**
   * Runs `work` on a path of the blob, which is valid until `work` settles. The bytes are not verified: see
   * `withProvenPath`.
   */
  withLocalPath<T>(digest: string, work: (path: string) => Promise<T>): Promise<T>;
  /** The folder of all local paths. */
  localFolder(): string;
  list(): AsyncIterable<StoredBlob>;
  strays(): AsyncIterable<Stray>;
  /** Does nothing if there is no such blob. */
  remove(digest: string): Promise<void>;
}

/** THE drivers, one line each. */
const DRIVERS = {
  filesystem: filesystemBlobs,
  s3: s3Blobs,
} satisfies Record<string, () => BlobStore>;

/** The blob store of this process. */
export const blobStore = (): BlobStore =>
  processWide<BlobStore>("blob-store", DRIVERS[env().S3_BUCKET === undefined ? "filesystem" : "s3"]);
