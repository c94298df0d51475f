import type { Source } from "@/lib/engine/sql/sql";
import { Failure, fail } from "@/lib/kernel/errors";
import type { Engine } from "./engine";
import type { CopiedVersion, CopyLease } from "./read-copies";

/** DuckDB's messages for a file that cannot be read, as opposed to a query that cannot be answered. */
const UNREADABLE = /^(IO|Invalid|Invalid Input|Serialization|Corruption|INTERNAL|FATAL) Error/;

/** DuckDB's messages for a copy that was detached or holds another table. */
const GONE = /^(Catalog|Binder) Error/;

/** Runs `read` on the version's read copy, or on its Parquet file if there is none or the copy turns out to be bad. */
export const readSource = <T>(
  engine: Engine,
  version: CopiedVersion,
  read: (source: Source) => Promise<T>,
): Promise<T> => readSources(engine, [version], ([source]) => read(source as Source));

/** The same for several versions at once: all of them are read from their copies, or all from their Parquet files. */
export async function readSources<T>(
  engine: Engine,
  versions: readonly CopiedVersion[],
  read: (sources: Source[]) => Promise<T>,
): Promise<T> {
  const leases: CopyLease[] = [];
  try {
    for (const version of versions) {
      const lease = await engine.copies.open(version);
      if (lease) leases.push(lease);
    }
    if (leases.length === versions.length)
      return await answering(() => read(leases.map(({ alias }) => ({ kind: "copy", alias }))));
  } catch (error) {
    if (!isOf(UNREADABLE, error) && !isOf(GONE, error)) throw error;
    for (const version of versions) engine.copies.discard(version);
  } finally {
    for (const lease of leases) lease.release();
  }
  return await readParquets(versions, read);
}

/** Runs `read` on the Parquet files of several versions at once, each verified first. */
export async function readParquets<T>(
  versions: readonly CopiedVersion[],
  read: (sources: Source[]) => Promise<T>,
): Promise<T> {
  return await readingParquet(() => withSources(versions, [], (sources) => answering(() => read(sources))));
}

/** Acquires the path of each version in turn, and holds them all while `read` runs. */
async function withSources<T>(
  [version, ...others]: readonly CopiedVersion[],
  sources: Source[],
  read: (sources: Source[]) => Promise<T>,
): Promise<T> {
  if (!version) return await read(sources);
  const columns = version.columns.length;
  return await version.withParquet((path) =>
    withSources(others, [...sources, { kind: "parquet", path, columns }], read),
  );
}

/** Runs `read`; a failure to read the stored file becomes `integrity_failure`. */
export async function readingParquet<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw isOf(UNREADABLE, cause) ? fail("integrity_failure", { cause }) : cause;
  }
}

/** Runs `read`; DuckDB's errors about values out of range, or about memory, become `result_too_large`. */
async function answering<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : "";
    if (/^(Out of Range|Conversion) Error/.test(message))
      throw fail("result_too_large", {
        message: "An aggregate or a group is out of the range of its result type.",
        cause,
      });
    if (/^Out of Memory Error/.test(message))
      throw fail("result_too_large", { message: "The query exceeds its memory limit. Narrow the query.", cause });
    throw cause;
  }
}

function isOf(pattern: RegExp, error: unknown): boolean {
  return error instanceof Error && !(error instanceof Failure) && pattern.test(error.message);
}
