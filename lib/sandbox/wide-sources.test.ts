import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planOf } from "@/lib/testing/both-doors";
import { type StatementsCounted, withCount } from "@/lib/testing/counted-statements";
import { withBench } from "./bench";
import type { SourceFound } from "./events";
import { inspectSource } from "./inspect-source";

const ROWS = 20;
const KINDS: readonly ((row: number) => string | number | boolean)[] = [
  (row) => row * 31,
  (row) => row / 8,
  (row) => row % 3 === 0,
  (row) => `2024-01-${String(1 + row).padStart(2, "0")}`,
  (row) => `text ${row % 5}`,
];
type Rows = readonly (readonly (string | number | boolean)[])[];

const rowsOf = (columns: number): Rows =>
  Array.from({ length: ROWS }, (_, row) =>
    Array.from({ length: columns }, (_, column) => KINDS[column % KINDS.length]?.(row) ?? ""),
  );
const FORMS: Readonly<Record<string, (rows: Rows) => string>> = {
  "wide.csv": (rows) => [rows[0]?.map((_, at) => `c${at}`), ...rows].map((cells) => `${cells?.join(",")}\n`).join(""),
  "wide.ndjson": (rows) =>
    rows.map((cells) => `${JSON.stringify(Object.fromEntries(cells.map((cell, at) => [`c${at}`, cell])))}\n`).join(""),
};

async function inspected(name: string, content: string): Promise<{ found: SourceFound; counted: StatementsCounted }> {
  const folder = mkdtempSync(join(tmpdir(), "wide-"));
  try {
    for (const part of ["raw", "cells", "unpacked", "out", "spill"]) await mkdir(join(folder, part));
    writeFileSync(join(folder, "raw", "head"), content);
    return await withBench(folder, { memoryMb: 768, diskMb: 1000 }, async (bench) => {
      const counting = withCount(bench);
      const found = await inspectSource(counting.bench, planOf("sample", "{}"), {
        ...{ file: join("raw", "head"), tail: null, name, isWhole: true, headBytes: content.length },
        ...{ mediaType: null, link: null, url: null, reader: null, member: null },
      });
      return { found, counted: counting.counted };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("wide sources", () => {
  test.each(Object.keys(FORMS))(
    "in %s another column adds no statements and little SQL to an inspection",
    async (name) => {
      const [some, more] = [
        await inspected(name, FORMS[name]?.(rowsOf(200)) ?? ""),
        await inspected(name, FORMS[name]?.(rowsOf(1000)) ?? ""),
      ];
      expect(more.found).toMatchObject({ isTried: true, warnings: [] });
      expect(more.found.columns?.length).toBe(1000);
      const added = (what: keyof StatementsCounted) => (more.counted[what] - some.counted[what]) / 800;
      expect(added("statements")).toBeLessThan(0.1);
      expect(added("characters")).toBeLessThan(1_200);
    },
  );

  test("all columns of a wide source are found; a recipe that cannot name them is said to be too large", async () => {
    const { found } = await inspected("wide.csv", FORMS["wide.csv"]?.(rowsOf(2_500)) ?? "");
    expect(found.columns?.length).toBe(2_500);
    expect(found.warnings).toEqual([expect.stringMatching(/Recipe too large: .*unpivot.* publish the file itself/)]);
  });
});
