import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { useTestState } from "@/lib/testing/database";
import { withWorkbench } from "./workbench";

useTestState({ QUERY_MEMORY_MB: "256" });

/** Reads a file with a buffer of `megabytes` MB, which DuckDB must hold completely. */
const reading = (path: string, megabytes: number): string =>
  `SELECT * FROM read_csv(${quoteLiteral(path)}, auto_detect = false, header = true, delim = ',',
     columns = {'a': 'VARCHAR'}, buffer_size = ${megabytes}000000, max_line_size = ${megabytes}000000)`;

test("a statement that runs out of memory is retried with all that queries may use, and fails beyond it", async () => {
  await withWorkbench(async (bench) => {
    const path = join(bench.folder, "one.csv");
    await writeFile(path, "a\n1\n");
    const limit = () => bench.rows("SELECT current_setting('memory_limit')");
    expect(await limit()).toEqual([["160.0 MiB"]]);
    expect(await bench.rows(reading(path, 100))).toEqual([["1"]]);
    expect(await limit()).toEqual([["160.0 MiB"]]);
    expect(await bench.rows(reading(path, 200))).toEqual([["1"]]);
    expect(await limit()).toEqual([["256.0 MiB"]]);
    await expect(bench.rows(reading(path, 300))).rejects.toThrow("Out of Memory Error");
  });
});
