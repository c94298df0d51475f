import { cpus } from "node:os";
import { type Engine, openEngine } from "@/lib/engine/duckdb/engine";
import { env } from "@/lib/kernel/env";
import { forgetProcessWide, processWide } from "@/lib/kernel/process-wide";
import { blobStore } from "@/lib/storage/blob-store";
import { proveCopy } from "@/lib/storage/copy-proof";
import { copiesDir, tempDir } from "@/lib/storage/paths";

/** With more than two per core at once, queries only wait for each other and none finishes in time. */
const QUERIES_AT_ONCE_MAX = 8;

/** The query engine of this process, opened on first use. */
export function readingEngine(): Promise<Engine> {
  return processWide("engine", () => {
    const settings = env();
    return openEngine({
      parquetDir: blobStore().localFolder(),
      copiesDir: copiesDir(),
      tempDir: tempDir(),
      threads: settings.QUERY_THREADS || cpus().length,
      memoryMb: settings.QUERY_MEMORY_MB,
      tempMb: settings.QUERY_TEMP_MB,
      queriesAtOnce: settings.QUERIES_AT_ONCE || Math.min(QUERIES_AT_ONCE_MAX, 2 * cpus().length),
      queueMs: settings.QUERY_QUEUE_MS,
      timeoutMs: settings.QUERY_TIMEOUT_MS,
      copiesMb: settings.READ_COPIES_MB,
      readCacheMb: settings.RESULT_CACHE_MB,
      proveCopy,
    });
  });
}

/** Closes the engine, if it was opened. */
export async function closeReadingEngine(): Promise<void> {
  const open = processWide<Promise<Engine> | undefined>("engine", () => undefined);
  forgetProcessWide("engine");
  await (await open)?.close();
}
