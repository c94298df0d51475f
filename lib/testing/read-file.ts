import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { Failure } from "@/lib/kernel/errors";
import { fillStage } from "@/lib/publish/stage";
import { withWorkbench } from "@/lib/publish/workbench";
import { openSource } from "@/lib/readers/containers/source-file";
import { ReadFailure } from "@/lib/readers/failure";
import { planReading } from "@/lib/readers/typed/plan-reading";
import type { ColumnNote } from "@/lib/schemas/publish";
import { useTestState } from "./database";

/** Gives the test file its own state, and reads files in it as publishing does. Call at its top. */
export function useReading() {
  const state = useTestState();
  let files = 0;

  /** The columns' types, and every value as DuckDB prints it. */
  async function read(
    name: string,
    content: string | Uint8Array,
    notes: ColumnNote[] = [],
  ): Promise<{ types: Record<string, string>; rows: (string | null)[][] }> {
    files += 1;
    const path = join(state.dataDir(), `${files}-${name}`);
    writeFileSync(path, content);
    return await readPath(path, notes);
  }

  /** The same for a file that is there already. */
  async function readPath(path: string, notes: ColumnNote[] = []): Promise<Awaited<ReturnType<typeof read>>> {
    return await withWorkbench(async (bench) => {
      const source = await openSource(path, undefined, bench.folder);
      const stage = await fillStage(bench, await planReading(bench, source, notes, { orderBy: [] }));
      const rows = await bench.rows(
        `SELECT ${stage.columns.map((_, index) => `c${index}::VARCHAR`).join(", ")} FROM stage ORDER BY rowid`,
      );
      return { types: Object.fromEntries(stage.columns.map(({ name, type }) => [name, type])), rows };
    });
  }

  return { read, readPath, folder: () => state.dataDir() };
}

/** The message with which a file is rejected. */
export const rejection = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect([Failure, ReadFailure].some((kind) => error instanceof kind)).toBe(true);
  return (error as Error).message;
};
