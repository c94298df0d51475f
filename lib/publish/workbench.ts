import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Connection, limitMemory, releaseMemory, withWriter } from "@/lib/engine/duckdb/duckdb";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { env } from "@/lib/kernel/env";
import type { Bench, Text } from "@/lib/readers/bench";
import { PRIVATE_FOLDER } from "@/lib/storage/data-folder";
import { tempDir } from "@/lib/storage/paths";
import { lacksMemory } from "./rejection";

/** A writable DuckDB with its own temporary folder, which is removed with its contents when the work ends. */
export interface Workbench extends Bench {
  /** Releases memory that earlier statements left behind. Absent in sandboxes, whose limits are locked. */
  releaseMemory?(): Promise<void>;
}

/** Contains the process id, so that `doctor` can tell a running publication from a leftover. */
const folderName = (): string => `publish-${process.pid}-${randomBytes(6).toString("hex")}`;

/**
 * The share of the memory that queries may use. Stages and sorts spill, which costs little, and DuckDB holds about a
 * hundred MiB in addition to its limit.
 */
const USUAL_SHARE = 0.625;

/** The stage is a database file, not memory: files of any size can be published, and sorts spill next to it. */
export async function withWorkbench<T>(work: (bench: Workbench) => Promise<T>): Promise<T> {
  const folder = join(tempDir(), folderName());
  const { QUERY_MEMORY_MB, QUERY_THREADS } = env();
  const memoryMb = Math.ceil(QUERY_MEMORY_MB * USUAL_SHARE);
  await mkdir(folder, PRIVATE_FOLDER);
  try {
    return await withWriter(
      { tempDir: join(folder, "spill"), memoryMb, threads: QUERY_THREADS },
      async (connection) => {
        const statements = statementsOf(connection, { usual: memoryMb, most: QUERY_MEMORY_MB });
        await statements.run(`ATTACH ${quoteLiteral(join(folder, "stage.duckdb"))} AS bench`);
        await statements.run("USE bench");
        return await work({ folder, ...statements });
      },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A statement that runs out of memory is retried with all of it. This is safe, as a failed one has changed nothing. */
function statementsOf(connection: Connection, { usual, most }: { usual: number; most: number }) {
  let memoryMb = usual;
  const attempt = async <T>(statement: () => Promise<T>): Promise<T> => {
    const had = memoryMb;
    try {
      return await statement();
    } catch (error) {
      if (had === most || !lacksMemory(error)) throw error;
      memoryMb = most;
      await limitMemory(connection, most);
      return await statement();
    }
  };
  return {
    run: (sql: string) => attempt(async () => void (await connection.run(sql))),
    rows: (sql: string) => attempt(async () => (await connection.runAndReadAll(sql)).getRowsJson() as Text[][]),
    releaseMemory: () => releaseMemory(connection, memoryMb),
  };
}
