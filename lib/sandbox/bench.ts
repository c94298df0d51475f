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
  // with parameters, even none, a statement is parsed and planned apart from its run
  const valuesOf = (params: readonly string[] = []) => (params.length > 0 ? [...params] : undefined);
  return {
    folder,
    run: async (sql, params) => void (await connection.run(sql, valuesOf(params))),
    rows: async (sql, params) => {
      const reader = await connection.runAndReadAll(sql, valuesOf(params));
      return reader.getRowsJson() as Text[][];
    },
  };
}
