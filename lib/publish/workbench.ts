import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { withWriter } from "@/lib/engine/duckdb/duckdb";
import { quoteLiteral } from "@/lib/engine/sql/identifier";
import { env } from "@/lib/kernel/env";
import { PRIVATE_FOLDER } from "@/lib/storage/data-folder";
import { tempDir } from "@/lib/storage/paths";

/** One cell as DuckDB prints it: null, or text. */
export type Text = string | null;

/** A writable DuckDB with its own temporary folder, which is removed with its contents when the work ends. */
export interface Workbench {
  folder: string;
  run(sql: string): Promise<void>;
  /** Rows whose cells the statement has cast to text. */
  rows(sql: string): Promise<Text[][]>;
}

/** Contains the process id, so that `doctor` can tell a running publication from a leftover. */
const folderName = (): string => `publish-${process.pid}-${randomBytes(6).toString("hex")}`;

/** The stage is a database file, not memory: files of any size can be published, and sorts spill next to it. */
export async function withWorkbench<T>(work: (bench: Workbench) => Promise<T>): Promise<T> {
  const folder = join(tempDir(), folderName());
  const { QUERY_MEMORY_MB, QUERY_THREADS } = env();
  await mkdir(folder, PRIVATE_FOLDER);
  try {
    return await withWriter(
      { tempDir: join(folder, "spill"), memoryMb: QUERY_MEMORY_MB, threads: QUERY_THREADS },
      async (connection) => {
        const run = async (sql: string) => void (await connection.run(sql));
        const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson() as Text[][];
        await run(`ATTACH ${quoteLiteral(join(folder, "stage.duckdb"))} AS bench`);
        await run("USE bench");
        return await work({ folder, run, rows });
      },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The cells of the only row. Throws if there is none. */
export async function onlyRow(bench: Workbench, sql: string): Promise<Text[]> {
  const row = (await bench.rows(sql))[0];
  if (!row) throw new Error("The statement gave no row");
  return row;
}
