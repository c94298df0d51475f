import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildReadCopy, ZerosLost } from "@/lib/engine/duckdb/read-copy";
import { openSource } from "@/lib/readers/containers/source-file";
import { planReading } from "@/lib/readers/typed/plan-reading";
import { type StatementsCounted, withCount } from "@/lib/testing/counted-statements";
import { useTestState } from "@/lib/testing/database";
import { profileStage } from "./profile";
import { sealStage } from "./seal";
import { fillStage } from "./stage";
import { withWorkbench } from "./workbench";

const state = useTestState();

/** Columns of every kind of profile. */
const KINDS: readonly ((row: number) => string)[] = [
  (row) => String(row * 31 - 200),
  (row) => (row % 9 === 0 ? "NaN" : row % 5 === 0 ? "-0.0" : String(row / 8)),
  (row) => (row % 7 === 0 ? "" : `2024-01-${String(1 + (row % 28)).padStart(2, "0")}`),
  (row) => (row % 3 === 0 ? "true" : "false"),
  (row) => `2024-05-01T00:00:${String(row % 60).padStart(2, "0")}Z`,
  (row) => (row === 4 ? "long ".repeat(50) : `text ${row % 5}`),
  (row) => (row === 7 ? "1000000" : String(row % 4)),
  () => "",
  (row) => (row === 3 ? "0.12345678901234567890" : "0.25"),
];
const ROWS = 60;

const csvOf = (columns: number): string => {
  const at = Array.from({ length: columns }, (_, column) => column);
  const rows = Array.from({ length: ROWS }, (_, row) => at.map((column) => KINDS[column % KINDS.length]?.(row)));
  return [at.map((column) => `c${column}`), ...rows].map((cells) => `${cells.join(",")}\n`).join("");
};

const TEXTS = {
  dataset: { slug: "wide", title: "Wide", license: "CC0-1.0", publisher: { name: "Office" } },
  table: { slug: "rows" },
};

/** The profiles of such a table by column, and what publishing it asks of DuckDB. */
async function published(
  columns: number,
): Promise<{ profiles: Record<string, unknown>; file: StatementsCounted; profiling: StatementsCounted }> {
  const path = join(state.dataDir(), `${columns}.csv`);
  writeFileSync(path, csvOf(columns));
  return await withWorkbench(async (workbench) => {
    const reading = withCount(workbench);
    const source = await openSource(path, undefined, workbench.folder);
    const stage = await fillStage(reading.bench, await planReading(reading.bench, source, [], { orderBy: [] }));
    await sealStage(reading.bench, stage, TEXTS, [], []);
    const profiling = withCount(workbench);
    const profiles = JSON.parse(await profileStage(profiling.bench, stage)) as Record<string, unknown>;
    return { profiles, file: reading.counted, profiling: profiling.counted };
  });
}

describe("wide tables", () => {
  test("a column's profile does not depend on how many columns are beside it", async () => {
    const { profiles: narrow } = await published(KINDS.length);
    const { profiles: wide } = await published(130);
    const repeated = Object.keys(wide).map((name, at) => [name, narrow[`c${at % KINDS.length}`]]);
    expect(wide).toEqual(Object.fromEntries(repeated));
  });

  test("another column adds few statements and little SQL", async () => {
    const [some, more] = [await published(200), await published(400)];
    const added = (of: "file" | "profiling", what: keyof StatementsCounted) => (more[of][what] - some[of][what]) / 200;
    expect(added("file", "statements")).toBeLessThan(0.1);
    expect(added("file", "characters")).toBeLessThan(600);
    expect(added("profiling", "statements")).toBeLessThan(0.2);
    expect(added("profiling", "characters")).toBeLessThan(600);
  });

  test("zeros of a wide Parquet file keep their signs in stage, file and read copy", async () => {
    const columns = Array.from({ length: 130 }, (_, at) => at);
    await withWorkbench(async (bench) => {
      const made = join(state.dataDir(), "zeros.parquet");
      const zero = "list_extract(['-0.0', '0.0', '0.0'], 1 + i % 3)::DOUBLE";
      const cells = columns.map((at) => `${at < 129 ? "i" : zero} AS x${at}`).join(", ");
      await bench.run(
        `COPY (SELECT ${cells} FROM range(${ROWS}) r(i)) TO '${made}' (FORMAT parquet, DICTIONARY_SIZE_LIMIT 0)`,
      );
      const source = await openSource(made, undefined, bench.folder);
      const stage = await fillStage(bench, await planReading(bench, source, [], { orderBy: [] }));
      const { path: parquetPath } = await sealStage(bench, stage, TEXTS, [], []);
      const signs = (from: string, column: string) =>
        bench.rows(`SELECT string_agg((${column} = 0 AND signbit(${column}))::INTEGER, '') FROM ${from}`);
      const expected = [["100".repeat(ROWS / 3)]];
      expect(await signs("stage", "c129")).toEqual(expected);
      expect(await signs(`'${parquetPath}'`, "x129")).toEqual(expected);
      const copyPath = join(state.dataDir(), "zeros.duckdb");
      const resources = { columns: columns.length, tempDir: bench.folder, memoryMb: 512, threads: 2 };
      const lost = await buildReadCopy({ parquetPath, copyPath, ...resources }).catch((error: unknown) => error);
      if (lost instanceof ZerosLost) return;
      await bench.run(`ATTACH '${copyPath}' AS copied (READ_ONLY)`);
      expect(await signs("copied.t", "c129")).toEqual(expected);
      await bench.run("DETACH copied");
    });
  });
});
