import { join } from "node:path";
import type { BuildBench } from "@/lib/builds/plan";
import { type Connection, withLockedWriter } from "@/lib/engine/duckdb/duckdb";
import { quoteLiteral } from "@/lib/engine/sql/identifier";

type Text = string | null;

/**
 * Runs `work` on a separate DuckDB with one thread, whose tables are in the folder and which can access nothing else.
 */
export function withBench<T>(
  folder: string,
  limits: { memoryMb: number; diskMb: number },
  work: (bench: BuildBench) => Promise<T>,
): Promise<T> {
  const options = { folder, tempDir: join(folder, "spill"), memoryMb: limits.memoryMb, tempMb: limits.diskMb };
  return withLockedWriter(options, async (connection) => {
    const bench = benchOf(folder, connection);
    await bench.run(`ATTACH ${quoteLiteral(join(folder, "stage.duckdb"))} AS bench`);
    await bench.run("USE bench");
    return await work(bench);
  });
}

/** The bench of a connection. */
export function benchOf(folder: string, connection: Connection): BuildBench {
  return {
    folder,
    run: async (sql) => void (await connection.run(sql)),
    rows: async (sql) => (await connection.runAndReadAll(sql)).getRowsJson() as Text[][],
  };
}
