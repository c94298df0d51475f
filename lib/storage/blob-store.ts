import { objectStore } from "./drivers";
import type { BlobHandle, PutOptions, Stray } from "./object-store";

const DIGEST = /^[0-9a-f]{64}$/;

export interface StoredBlob {
  /** SHA-256 of the bytes, 64 hex digits. */
  digest: string;
  bytes: number;
  changedAtMs: number;
}

/** The objects of one folder, stored by the SHA-256 of their bytes: `<folder>/<2 hex>/<digest><ending>`. */
export class BlobStore {
  constructor(
    readonly folder: string,
    private readonly ending: string,
  ) {}

  /** The key of a digest of 64 hex digits. Throws on anything else, so no key can be disguised as a digest. */
  keyOf(digest: string): string {
    if (!DIGEST.test(digest)) throw new Error("A blob is named by 64 hex digits");
    return `${this.folder}/${digest.slice(0, 2)}/${digest}${this.ending}`;
  }

  /** As `ObjectStore.put`. */
  put(digest: string, fromFile: string, options?: PutOptions): Promise<void> {
    return objectStore().put(this.keyOf(digest), digest, fromFile, options);
  }

  /** The stored size; undefined if there is no such blob. */
  stat(digest: string): Promise<{ bytes: number } | undefined> {
    return objectStore().stat(this.keyOf(digest));
  }

  /** Rejects with ENOENT if there is no such blob. */
  open(digest: string): Promise<BlobHandle> {
    return objectStore().open(this.keyOf(digest));
  }

  /** As `ObjectStore.withLocalPath`. */
  withLocalPath<T>(digest: string, work: (path: string) => Promise<T>): Promise<T> {
    return objectStore().withLocalPath(this.keyOf(digest), digest, work);
  }

  /** The folder of all local paths. */
  localFolder(): string {
    return objectStore().localFolder(`${this.folder}/`);
  }

  /** All blobs, or those whose digests begin with two hex digits. */
  async *list(start?: string): AsyncGenerator<StoredBlob> {
    for await (const { key, ...found } of objectStore().list(this.#prefix(start))) {
      const digest = this.#digestOf(key);
      if (digest !== undefined) yield { digest, ...found };
    }
  }

  /** The entries that are no blobs, judging by folder and name. */
  async *strays(start?: string): AsyncGenerator<Stray> {
    for await (const { key, changedAtMs } of objectStore().list(this.#prefix(start)))
      if (this.#digestOf(key) === undefined) yield { name: key, changedAtMs, remove: () => objectStore().remove(key) };
    yield* objectStore().strays(this.#prefix(start));
  }

  /** Does nothing if there is no such blob. */
  remove(digest: string): Promise<void> {
    return objectStore().remove(this.keyOf(digest));
  }

  #prefix(start?: string): string {
    return start === undefined ? `${this.folder}/` : `${this.folder}/${start}/`;
  }

  #digestOf(key: string): string | undefined {
    const digest = /([0-9a-f]{64})[^/]*$/.exec(key)?.[1];
    return digest !== undefined && this.keyOf(digest) === key ? digest : undefined;
  }
}

const BLOBS = new BlobStore("blobs", ".parquet");
const SNAPSHOTS = new BlobStore("snapshots", "");
const ARTIFACTS = new BlobStore("artifacts", "");

/** Sealed Parquet files, the tables of samples, and uploads. */
export const blobStore = (): BlobStore => BLOBS;

/** The bytes of sources, as they were read. */
export const snapshotStore = (): BlobStore => SNAPSHOTS;

/** What runs store for a while and is not a table: recipes, plans, checks, rejects, lineage. */
export const artifactStore = (): BlobStore => ARTIFACTS;
