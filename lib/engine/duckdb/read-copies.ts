import { readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { isCopiedSql } from "@/lib/engine/types/timestamps";
import { type Connection, type Instance, select } from "./duckdb";
import { buildReadCopy, type ProveCopy, proofPath, ZEROS_KEPT, ZerosLost } from "./read-copy";
import type { WithParquet } from "./with-parquet";

/** What a read copy is built from and named after. */
export interface CopiedVersion {
  digest: string;
  rows: number;
  columns: readonly unknown[];
  withParquet: WithParquet;
  /** Empty if no copy should be built, as for files that are read once. */
  copyPath: string;
}

export interface ReadCopiesOptions {
  copiesDir: string;
  tempDir: string;
  memoryMb: number;
  threads: number;
  copiesMb: number;
  /**
   * Computes a copy's proof. Copies with a different proof are not read. Without this function, every copy is trusted.
   */
  proveCopy?: ProveCopy;
}

/** A copy in use by one query; release it once. */
export interface CopyLease {
  alias: string;
  release: () => void;
}

interface Attached {
  digest: string;
  alias: string;
  path: string;
  users: number;
  usedAt: number;
  isBad: boolean;
  /** The file as it was when it was verified. */
  stamp: string;
  checkedAt: number;
  /** The file has changed since: it is detached after its last query, and verified again by the next one. */
  isLeaving: boolean;
}

const ATTACHED_MAX = 256;
/** Verifying a larger copy first would take longer than answering the query from the Parquet file. */
const PROVED_AT_ONCE_BYTES = 64 * 1024 * 1024;
/** An attached copy that was changed in place is read for at most this long. */
const CHECKED_MS = 1000;
const RETRY_AFTER_MS = 60_000;
const ORPHAN_AFTER_MS = 3_600_000;

/**
 * The read copies that this process has attached. Missing and bad copies are rebuilt in the background, one at a time,
 * while queries read the Parquet file. Copies over the disk budget are removed, least recently used first.
 */
export class ReadCopies {
  readonly #attached = new Map<string, Attached>();
  readonly #attaching = new Map<string, Promise<Attached | undefined>>();
  readonly #building = new Map<string, Promise<void>>();
  readonly #failedAt = new Map<string, number>();
  readonly #closing = new AbortController();
  #connection: Promise<Connection> | undefined;
  #queue: Promise<void> = Promise.resolve();
  #sequence = 0;

  constructor(
    private readonly instance: Instance,
    private readonly options: ReadCopiesOptions,
  ) {}

  /** The version's attached copy. Undefined if there is none, in which case one is being built. */
  async open(version: CopiedVersion): Promise<CopyLease | undefined> {
    if (this.options.copiesMb === 0 || version.copyPath === "" || this.#closing.signal.aborted) return undefined;
    const present = this.#attached.get(version.digest);
    if (present) await this.#leaveIfChanged(present);
    const copy = present ?? (await this.#attachSoon(version));
    if (!copy || copy.isBad || copy.isLeaving) return undefined;
    copy.users += 1;
    copy.usedAt = ++this.#sequence;
    let released = false;
    const release = () => {
      if (released) return;
      released = true;
      copy.users -= 1;
      if (copy.users > 0) return;
      if (copy.isBad) void this.#remove(copy);
      else if (copy.isLeaving) void this.#leave(copy);
    };
    return { alias: copy.alias, release };
  }

  /** Discards a copy that could not be read. It is rebuilt when the version is next requested. */
  discard(version: CopiedVersion): void {
    const copy = this.#attached.get(version.digest);
    if (!copy) return;
    copy.isBad = true;
    this.#attached.delete(version.digest);
    if (copy.users === 0) void this.#remove(copy);
  }

  async #leaveIfChanged(copy: Attached): Promise<void> {
    const now = performance.now();
    if (!this.options.proveCopy || now - copy.checkedAt < CHECKED_MS) return;
    copy.checkedAt = now;
    if ((await stampOf(copy.path).catch(() => undefined)) === copy.stamp) return;
    copy.isLeaving = true;
    if (copy.users === 0) await this.#leave(copy);
  }

  /** Nothing attaches the file again before this is over. */
  async #leave(copy: Attached): Promise<void> {
    await this.#detach(copy);
    if (this.#attached.get(copy.digest) === copy) this.#attached.delete(copy.digest);
  }

  /** Resolves when no copy is being attached or built. */
  async settled(): Promise<void> {
    while (this.#attaching.size + this.#building.size > 0)
      await Promise.allSettled([...this.#attaching.values(), ...this.#building.values()]);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.settled();
    (await this.#connection)?.closeSync();
  }

  /** A large copy is attached only after the query that first requests it. */
  async #attachSoon(version: CopiedVersion): Promise<Attached | undefined> {
    const bytes = this.options.proveCopy ? await sizeOf(version.copyPath) : 0;
    const attaching = this.#attachOnce(version);
    return bytes > PROVED_AT_ONCE_BYTES ? undefined : await attaching;
  }

  #attachOnce(version: CopiedVersion): Promise<Attached | undefined> {
    const running = this.#attaching.get(version.digest);
    if (running) return running;
    const attaching = this.#attach(version).finally(() => this.#attaching.delete(version.digest));
    this.#attaching.set(version.digest, attaching);
    return attaching;
  }

  async #attach(version: CopiedVersion): Promise<Attached | undefined> {
    if ((await sizeOf(version.copyPath)) === 0) return this.#build(version);
    const copy: Attached = {
      digest: version.digest,
      alias: `copy_${++this.#sequence}`,
      path: version.copyPath,
      users: 0,
      usedAt: this.#sequence,
      isBad: false,
      stamp: "",
      checkedAt: performance.now(),
      isLeaving: false,
    };
    try {
      await utimes(copy.path, new Date(), new Date());
      copy.stamp = await stampOf(copy.path);
      await this.#checkProof(version);
      await this.#run(`ATTACH ${quoteLiteral(copy.path)} AS ${copy.alias} (READ_ONLY)`);
      await this.#check(copy, version);
    } catch {
      await this.#remove(copy);
      return this.#build(version);
    }
    this.#attached.set(version.digest, copy);
    await this.#detachIdle();
    return copy;
  }

  /** DuckDB's own checksums have no key: anybody who can write the file can forge them. */
  async #checkProof({ copyPath, digest }: CopiedVersion): Promise<void> {
    if (!this.options.proveCopy) return;
    const proof = await readFile(proofPath(copyPath), "utf8");
    if (proof !== (await this.options.proveCopy(copyPath, digest))) throw new Error("The read copy was changed");
  }

  /**
   * Rejects a copy whose columns do not match the version's, and one in an older form, which would be slower or may
   * have zeros of the other sign.
   */
  async #check(copy: Attached, version: CopiedVersion): Promise<void> {
    const [row] = await select(await this.#connect(), {
      sql:
        `SELECT (SELECT count(*) FROM ${copy.alias}.t), count(*) FILTER (WHERE ${isCopiedSql("data_type")}), ` +
        "count(*) FILTER (WHERE contains(data_type, 'DOUBLE') OR contains(data_type, 'FLOAT')), " +
        "(SELECT min(comment) FROM duckdb_tables() WHERE database_name = $1) " +
        "FROM duckdb_columns() WHERE database_name = $1",
      params: [copy.alias],
    });
    const mayHaveLostZeros = Number(row?.[2]) > 0 && row?.[3] !== ZEROS_KEPT;
    if (Number(row?.[0]) !== version.rows || Number(row?.[1]) !== version.columns.length || mayHaveLostZeros)
      throw new Error("The read copy is of another shape");
  }

  #build(version: CopiedVersion): undefined {
    const failedAt = this.#failedAt.get(version.digest);
    const isRecent = failedAt !== undefined && performance.now() - failedAt < RETRY_AFTER_MS;
    if (this.#building.has(version.digest) || isRecent) return undefined;
    const building = this.#queue
      .then(() => this.#buildNow(version))
      .finally(() => this.#building.delete(version.digest));
    this.#queue = building;
    this.#building.set(version.digest, building);
    return undefined;
  }

  async #buildNow(version: CopiedVersion): Promise<void> {
    const { tempDir, memoryMb, threads, proveCopy } = this.options;
    try {
      const resources = {
        tempDir,
        memoryMb: Math.max(512, memoryMb / 4),
        threads,
        signal: this.#closing.signal,
        ...(proveCopy && { proof: { digest: version.digest, prove: proveCopy } }),
      };
      const copy = { copyPath: version.copyPath, columns: version.columns.length, ...resources };
      await version.withParquet((parquetPath) => buildReadCopy({ ...copy, parquetPath }));
      await this.#trim(version.copyPath);
    } catch (error) {
      this.#failedAt.set(version.digest, error instanceof ZerosLost ? Number.POSITIVE_INFINITY : performance.now());
    }
  }

  /** Brings the folder within its budget, but keeps the newest copy and those in use. */
  async #trim(newest: string): Promise<void> {
    const files = await this.#files();
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    for (const file of files.sort((a, b) => a.usedAt - b.usedAt)) {
      if (bytes <= this.options.copiesMb * 1024 * 1024) return;
      const copy = [...this.#attached.values()].find((attached) => basename(attached.path) === basename(file.path));
      if (basename(file.path) === basename(newest) || (copy && copy.users > 0)) continue;
      if (copy) this.#attached.delete(copy.digest);
      await (copy ? this.#remove(copy) : removeFiles(file.path));
      bytes -= file.bytes;
    }
  }

  /** The folder's copies. Removes leftovers of builds that were killed. */
  async #files(): Promise<{ path: string; bytes: number; usedAt: number }[]> {
    const files = [];
    for (const name of await readdir(this.options.copiesDir)) {
      const path = join(this.options.copiesDir, name);
      const found = await stat(path).catch(() => undefined);
      if (!found) continue;
      if (name.endsWith(".duckdb")) files.push({ path, bytes: found.size, usedAt: found.mtimeMs });
      else if (name.includes(".tmp") && Date.now() - found.mtimeMs > ORPHAN_AFTER_MS) await rm(path, { force: true });
    }
    return files;
  }

  async #detachIdle(): Promise<void> {
    const idle = [...this.#attached.values()].filter((copy) => copy.users === 0).sort((a, b) => a.usedAt - b.usedAt);
    for (const copy of idle.slice(0, Math.max(0, this.#attached.size - ATTACHED_MAX))) {
      this.#attached.delete(copy.digest);
      await this.#detach(copy);
    }
  }

  async #remove(copy: Attached): Promise<void> {
    await this.#detach(copy);
    await removeFiles(copy.path).catch(() => undefined);
  }

  async #detach(copy: Attached): Promise<void> {
    await this.#run(`DETACH DATABASE IF EXISTS ${copy.alias}`).catch(() => undefined);
  }

  async #run(sql: string): Promise<void> {
    await (await this.#connect()).run(sql);
  }

  #connect(): Promise<Connection> {
    this.#connection ??= this.instance.connect();
    return this.#connection;
  }
}

async function removeFiles(copyPath: string): Promise<void> {
  await rm(copyPath, { force: true });
  await rm(proofPath(copyPath), { force: true });
}

/** Changes whenever somebody writes the file, whatever times they set. */
async function stampOf(path: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(" ");
}

/** Bytes of a file; 0 if there is none. */
async function sizeOf(path: string): Promise<number> {
  return await stat(path).then(
    (found) => (found.isFile() ? found.size : 0),
    () => 0,
  );
}
