import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
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
    const [some, more] = [await published(400), await published(800)];
    const added = (of: "file" | "profiling", what: keyof StatementsCounted) => (more[of][what] - some[of][what]) / 400;
    expect(added("file", "statements")).toBeLessThan(0.1);
    expect(added("file", "characters")).toBeLessThan(600);
    expect(added("profiling", "statements")).toBeLessThan(0.2);
    expect(added("profiling", "characters")).toBeLessThan(600);
  });
});
