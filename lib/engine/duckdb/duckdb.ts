import {
  DuckDBBlobValue,
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBValue,
  StatementType,
  version,
} from "@duckdb/node-api";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import type { Statement } from "@/lib/engine/sql/sql";

/** A connection of the native library, which only this file imports. */
export type Connection = DuckDBConnection;
export type Instance = DuckDBInstance;
export type Prepared = DuckDBPreparedStatement;
export type Value = DuckDBValue;

/** The version of the library, such as 1.5.6. */
export const duckdbVersion = (): string => version().replace(/^v/, "");

export interface ReaderOptions {
  /** The only folders that statements may read. */
  foldersAllowed: readonly string[];
  tempDir: string;
  threads: number;
  memoryMb: number;
  tempMb: number;
}

/**
 * An in-memory instance that can read only the allowed folders and whose configuration is locked. `beforeLock` may open
 * connections with different settings.
 */
export async function openReader(
  options: ReaderOptions,
  beforeLock: (instance: Instance) => Promise<void> = async () => undefined,
): Promise<Instance> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await runAll(connection, [
    ...resourceSettings(options),
    `SET GLOBAL max_temp_directory_size = '${options.tempMb}MiB'`,
    "SET GLOBAL parquet_metadata_cache = true",
    "SET GLOBAL late_materialization_max_rows = 20000",
    "SET GLOBAL preserve_insertion_order = true",
  ]);
  await beforeLock(instance);
  await runAll(connection, lockDown(options.foldersAllowed));
  connection.closeSync();
  return instance;
}

/**
 * A connection that sorts complete rows in one scan. Other connections find the first rows by their keys and read their
 * other columns in a second scan.
 */
export async function oneScanConnection(instance: Instance): Promise<Connection> {
  const connection = await instance.connect();
  await connection.run("SET SESSION late_materialization_max_rows = 0");
  return connection;
}

/**
 * Runs `work` on a dedicated instance that may write, for publishing and for read copies. Then closes it and returns
 * its memory.
 */
export async function withWriter<T>(
  options: { tempDir: string; memoryMb: number; threads: number },
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    await runAll(connection, [
      ...resourceSettings(options),
      "SET GLOBAL autoinstall_known_extensions = false",
      "SET GLOBAL autoload_known_extensions = false",
    ]);
    return await work(connection);
  } finally {
    await releaseMemory(connection, options.memoryMb);
    instance.closeSync();
  }
}

/** Sets the memory limit of the connection's instance. */
export async function limitMemory(connection: Connection, memoryMb: number): Promise<void> {
  await connection.run(`SET GLOBAL memory_limit = '${memoryMb}MiB'`);
}

/**
 * Returns all unused memory to the system. DuckDB's allocator keeps most freed memory, even that of closed instances,
 * until a limit is set.
 */
export async function releaseMemory(connection: Connection, memoryMb: number): Promise<void> {
  // this fails because some memory is in use, but it releases the rest
  await limitMemory(connection, 1).catch(() => undefined);
  await limitMemory(connection, memoryMb);
}

/**
 * Runs `work` on an instance that may read and write one folder and nothing else, and whose configuration is locked. It
 * has one thread: with more, sums of floats depend on the order in which threads finish.
 */
export async function withLockedWriter<T>(
  options: { folder: string; tempDir: string; memoryMb: number; tempMb: number },
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(":memory:");
  try {
    const connection = await instance.connect();
    await runAll(connection, [
      ...resourceSettings({ ...options, threads: 1 }),
      `SET GLOBAL max_temp_directory_size = '${options.tempMb}MiB'`,
      "SET GLOBAL preserve_insertion_order = true",
      ...lockDown([options.folder]),
    ]);
    return await work(connection);
  } finally {
    instance.closeSync();
  }
}

/** The order matters: the last setting locks all others. */
function lockDown(foldersAllowed: readonly string[]): string[] {
  const folders = foldersAllowed.map((folder) => quoteLiteral(folder.endsWith("/") ? folder : `${folder}/`));
  return [
    "SET GLOBAL autoinstall_known_extensions = false",
    "SET GLOBAL autoload_known_extensions = false",
    "SET GLOBAL allow_community_extensions = false",
    "SET GLOBAL allow_persistent_secrets = false",
    `SET GLOBAL allowed_directories = [${folders.join(", ")}]`,
    "SET GLOBAL enable_external_access = false",
    "SET GLOBAL lock_configuration = true",
  ];
}

/** Runs one SELECT with its parameters bound and returns all rows. Rejects any other statement. */
export async function select(connection: Connection, { sql, params }: Statement): Promise<Value[][]> {
  const prepared = await prepareSelect(connection, sql);
  try {
    return await runPrepared(prepared, params);
  } finally {
    prepared.destroySync();
  }
}

/** Prepares one SELECT, to be destroyed by the caller. Rejects any other statement. */
export async function prepareSelect(connection: Connection, sql: string): Promise<Prepared> {
  const prepared = await connection.prepare(sql);
  if (prepared.statementType === StatementType.SELECT) return prepared;
  prepared.destroySync();
  throw new Error("Only SELECT can run on the reading instance");
}

/**
 * Up to this many chunks are copied on this thread, since a task on another thread costs more. Each has at most 2,048
 * rows.
 */
const CHUNKS_HERE = 8;

/** All rows of a prepared SELECT, which DuckDB plans with these values. */
export async function runPrepared(prepared: Prepared, params: readonly string[]): Promise<Value[][]> {
  for (const [index, param] of params.entries()) prepared.bindVarchar(index + 1, param);
  const result = await prepared.run();
  const chunks =
    result.chunkCount > CHUNKS_HERE
      ? await result.fetchAllChunks()
      : Array.from({ length: result.chunkCount }, (_, at) => result.getChunk(at));
  return chunks.flatMap((chunk) => chunk.getRows());
}

/** A blob's bytes, without copying them; empty for null. */
export function blobBytes(value: unknown): Uint8Array {
  return value instanceof DuckDBBlobValue ? value.bytes : new Uint8Array();
}

function resourceSettings(options: { tempDir: string; memoryMb: number; threads: number }): string[] {
  const threads = options.threads > 0 ? [`SET GLOBAL threads = ${options.threads}`] : [];
  return [
    ...threads,
    `SET GLOBAL memory_limit = '${options.memoryMb}MiB'`,
    `SET GLOBAL temp_directory = ${quoteLiteral(options.tempDir)}`,
    "SET GLOBAL TimeZone = 'UTC'",
  ];
}

async function runAll(connection: Connection, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await connection.run(statement);
}
