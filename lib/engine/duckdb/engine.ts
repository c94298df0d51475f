import { mkdir } from "node:fs/promises";
import { type Footer, footerSql, readFooter } from "@/lib/engine/sql/scanned-bytes";
import type { Statement } from "@/lib/engine/sql/sql";
import type { EngineColumn } from "@/lib/engine/types/column-types";
import { Admission } from "@/lib/kernel/admission";
import { Cache } from "@/lib/kernel/cache";
import { fail } from "@/lib/kernel/errors";
import { SharedRuns } from "@/lib/kernel/shared-run";
import { inSpan, measure, observe, timed } from "@/lib/kernel/telemetry";
import { type Connection, type Instance, oneScanConnection, openReader, type Value } from "./duckdb";
import { ReadCopies } from "./read-copies";
import type { ProveCopy } from "./read-copy";
import { ReadingConnection } from "./reading-connection";
import { ReservedMemory } from "./reserved-memory";
import type { WithParquet } from "./with-parquet";

export interface EngineOptions {
  /** The folder with the Parquet files of all versions. */
  parquetDir: string;
  copiesDir: string;
  tempDir: string;
  /** 0 means one per core. */
  threads: number;
  memoryMb: number;
  tempMb: number;
  queriesAtOnce: number;
  queueMs: number;
  timeoutMs: number;
  /** Disk space for read copies; 0 queries only the Parquet files. */
  copiesMb: number;
  /** Memory for the cached results of reads of immutable versions; none if absent. */
  readCacheMb?: number;
  /** Proves that this service built a read copy. Without it, every copy is trusted. */
  proveCopy?: ProveCopy;
}

/** The caller of a query. */
export interface Caller {
  /** Whose turn it uses among the waiting queries: an address, key or connection. Undefined for the service itself. */
  subject?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** One admitted query: its statements share a slot, a connection and a time limit. */
export interface Session {
  /** All rows. `recurs`: the statement reads a read copy, and its text will be used again with other values. */
  all(statement: Statement, recurs?: boolean): Promise<Value[][]>;
  /** Aborted when the query must stop, with the reason: it timed out, or its caller disconnected. */
  signal: AbortSignal;
}

/** A result of a read, with its size. */
export interface CachedRead {
  page: object;
  bytes: number;
}

/** What a read takes in addition to its bytes: the key and the surrounding objects, measured with 100,000 of one row. */
const READ_OVERHEAD_BYTES = 1024;
/** A larger read would evict too many others, and large reads gain least from caching. */
const LARGEST_READ_SHARE = 1 / 16;

/** The process's query engine. Close it after the last query. */
export class Engine {
  readonly #idle: ReadingConnection[] = [];
  #running = 0;
  readonly #admission: Admission;
  readonly #footers = new Map<string, Footer>();
  readonly copies: ReadCopies;
  /** Half of DuckDB's memory limit, in addition to it. */
  readonly reservedMemory: ReservedMemory;
  /**
   * Results of reads of immutable versions. Who may read, and how often, is decided before the lookup: a hit saves only
   * the read.
   */
  readonly readCache: Cache<CachedRead>;
  /** Reads that have a slot, for callers who request the same page to wait for. */
  readonly runningReads = new SharedRuns<object>();

  /** `oneScan`: connections that sort in one scan, one per concurrent query. */
  constructor(
    private readonly instance: Instance,
    readonly options: EngineOptions,
    private readonly oneScan: Connection[],
  ) {
    this.#admission = new Admission({ slots: options.queriesAtOnce, queueMs: options.queueMs });
    this.copies = new ReadCopies(instance, options);
    this.reservedMemory = new ReservedMemory((options.memoryMb * MIB) / 2);
    this.readCache = new Cache({
      capacity: (options.readCacheMb ?? 0) * MIB,
      sizeOf: ({ bytes }) => bytes + READ_OVERHEAD_BYTES,
      largestShare: LARGEST_READ_SHARE,
    });
    this.#observe();
  }

  #observe(): void {
    const { queriesAtOnce } = this.options;
    observe("querySlots", () => [
      [this.#running, { state: "used" }],
      [queriesAtOnce - this.#running, { state: "free" }],
    ]);
    observe("queryMemory", async () => {
      const connection = await this.instance.connect();
      const reader = await connection.runAndReadAll("SELECT sum(memory_usage_bytes)::DOUBLE FROM duckdb_memory()");
      connection.closeSync();
      return [[Number(reader.getRows()[0]?.[0] ?? 0)]];
    });
  }

  /** The Parquet footer of a version, cached for the most recently used versions. */
  async footer(
    session: Session,
    version: { digest: string; withParquet: WithParquet; columns: readonly EngineColumn[] },
  ): Promise<Footer> {
    const footer = this.#footers.get(version.digest) ?? (await this.#readFooter(session, version));
    this.#footers.delete(version.digest);
    this.#footers.set(version.digest, footer);
    const [oldest] = this.#footers.keys();
    if (this.#footers.size > FOOTERS_MAX && oldest !== undefined) this.#footers.delete(oldest);
    return footer;
  }

  async #readFooter(
    session: Session,
    version: { digest: string; withParquet: WithParquet; columns: readonly EngineColumn[] },
  ): Promise<Footer> {
    return await version.withParquet(async (path) => readFooter(await session.all(footerSql(path)), version.columns));
  }

  /** Runs `work` when it is the caller's turn. Throws `busy`, `query_timeout`, or the signal's reason. */
  async run<T>(
    work: (session: Session) => Promise<T>,
    { subject, signal }: Caller = {},
    timeoutMs = this.options.timeoutMs,
  ): Promise<T> {
    const askedMs = performance.now();
    const reading = async () => {
      measure("queryQueue", (performance.now() - askedMs) / 1000, {});
      this.#running += 1;
      const connection = this.#idle.pop() ?? new ReadingConnection(await this.instance.connect(), this.oneScan.pop());
      try {
        return await timed("queries", {}, () => runTimed(connection, work, timeoutMs, signal));
      } finally {
        this.#running -= 1;
        this.#idle.push(connection);
      }
    };
    return inSpan("engine", () => this.#admission.run(subject ?? SERVICE, reading, signal));
  }

  /** Ends background work and frees the native resources. Call it after the last query. */
  async close(): Promise<void> {
    await this.copies.close();
    for (const connection of this.#idle.splice(0)) connection.close();
    for (const connection of this.oneScan.splice(0)) connection.closeSync();
    this.instance.closeSync();
  }
}

/** Opens the engine over its folders, which are created if missing. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  for (const folder of [options.parquetDir, options.copiesDir, options.tempDir])
    await mkdir(folder, { recursive: true, mode: 0o700 });
  const oneScan: Connection[] = [];
  const foldersAllowed = [options.parquetDir, options.copiesDir];
  const instance = await openReader({ ...options, foldersAllowed }, async (fresh) => {
    for (let n = 0; n < options.queriesAtOnce; n += 1) oneScan.push(await oneScanConnection(fresh));
  });
  return new Engine(instance, options, oneScan);
}

const FOOTERS_MAX = 500;
const MIB = 1024 * 1024;

/** Requests for pages that are the same for everybody share one caller's turn. */
const SERVICE = "service";

/** How often an interrupt is repeated: one sent to a statement that is still waiting for a thread is lost. */
const INTERRUPT_EVERY_MS = 50;

async function runTimed<T>(
  connection: ReadingConnection,
  work: (session: Session) => Promise<T>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<T> {
  let stopped: { reason: unknown } | undefined;
  let repeat: NodeJS.Timeout | undefined;
  const stopping = new AbortController();
  const stop = (reason: unknown) => {
    stopped ??= { reason };
    stopping.abort(reason);
    connection.interrupt();
    repeat ??= setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS);
  };
  const onAbort = () => stop(signal?.reason);
  const timer = setTimeout(() => stop(fail("query_timeout")), timeoutMs);
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  const all = async (statement: Statement, recurs?: boolean) => {
    if (stopped) throw stopped.reason;
    return await connection.select(statement, recurs);
  };
  try {
    return await work({ all, signal: stopping.signal });
  } catch (error) {
    throw stopped ? stopped.reason : error;
  } finally {
    clearTimeout(timer);
    clearInterval(repeat);
    signal?.removeEventListener("abort", onAbort);
  }
}
