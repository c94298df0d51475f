import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { insideContext } from "@/lib/http/context";
import { fail } from "@/lib/kernel/errors";
import { closeReadingEngine } from "@/lib/operations/reading/reading-engine";
import { publishTable } from "@/lib/publish/publish";
import { useTestState } from "@/lib/testing/database";
import { homeExample } from "./home-example";

// biome-ignore lint/correctness/useHookAtTopLevel: it is not a hook of React
useTestState();
const folder = mkdtempSync(join(tmpdir(), "parquetry-home-"));
afterAll(async () => {
  await closeReadingEngine();
  rmSync(folder, { recursive: true, force: true });
});

test("the home page has its example with a curve, and without one when the curve's query fails", async () => {
  const file = join(folder, "rows.csv");
  writeFileSync(file, "day,level\n2026-01-01,1.5\n2026-01-02,2.5\n2026-01-03,3.5\n");
  const names = { title: "Levels", summary: "", description: "", publisher: { name: "P" }, topics: [] };
  const dataset = { slug: "mauna-loa-co2", ...names, license: "CC0-1.0" };
  await publishTable({ file, dataset, table: { slug: "daily", name: "Daily" } }, { now: () => new Date() });
  const drawn = await homeExample(insideContext());
  expect(drawn?.curve?.points.map(({ value }) => value)).toEqual([1.5, 2.5, 3.5]);
  expect(drawn?.isPassing).toBeUndefined();
  const told: unknown[] = [];
  const failing = {
    engine: () => Promise.reject(fail("busy")),
    onBackgroundError: (error: unknown) => told.push(error),
  };
  const plain = await homeExample({ ...insideContext(), ...failing });
  expect(plain).toMatchObject({
    entry: { slug: "mauna-loa-co2" },
    query: drawn?.query,
    curve: undefined,
    isPassing: true,
  });
  expect(told).toMatchObject([{ code: "busy" }]);
});
