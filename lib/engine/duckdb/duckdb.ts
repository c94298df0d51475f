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

/** A connection of the one native library; nothing else imports it. */
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
 * An in-memory instance that can read only the allowed folders; its configuration is locked. `beforeLock` may open
 * connections with settings of their own.
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
 * A connection that sorts whole rows as it scans them; others find the first rows by their keys and read the rest of
 * them in a second scan.
 */
export async function oneScanConnection(instance: Instance): Promise<Connection> {
  const connection = await instance.connect();
  await connection.run("SET SESSION late_materialization_max_rows = 0");
  return connection;
}

/**
 * Runs `work` on a dedicated instance that may write, for publishing and for read copies. Closes it afterwards and
 * gives its memory back.
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
    await giveBack(connection, options.memoryMb);
    instance.closeSync();
  }
}

/** The most that `connection`'s instance holds from now on. */
export async function limitMemory(connection: Connection, memoryMb: number): Promise<void> {
  await connection.run(`SET GLOBAL memory_limit = '${memoryMb}MiB'`);
}

/**
 * Gives all memory back that is not in use. DuckDB's allocator keeps most of what is freed, even of closed instances,
 * until a limit is set.
 */
export async function giveBack(connection: Connection, memoryMb: number): Promise<void> {
  // fails for what is in use, and lets go of the rest
  await limitMemory(connection, 1).catch(() => undefined);
  await limitMemory(connection, memoryMb);
}

/**
 * Runs `work` on an instance that may read and write one folder and nothing else; its configuration is locked. One
 * thread: with more, sums of floats depend on which comes first.
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

/** In this order; the last one closes all the others. */
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

/** Runs one SELECT with its strings bound and returns all rows. Rejects any other statement. */
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

/** A few chunks are copied here, since each turn of a thread costs more; each has at most 2,048 rows. */
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

/** A blob's bytes, without a copy; none for null. */
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
