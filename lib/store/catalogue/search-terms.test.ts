import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { editDistance } from "@/lib/kernel/edit-distance";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { recordPublication } from "@/lib/store/datasets/versions";
import { database } from "@/lib/store/postgres/database";
import { useTestState } from "@/lib/testing/database";
import { publicCatalogue } from "./public-catalogue";
import { readSearchTerms } from "./search-terms";
import { COMPARED_MAX } from "./similar-words";

vi.mock("@/lib/kernel/edit-distance", { spy: true });

useTestState();

/** Words similar to the misspelt ones below, around any three letters. None occurs in a public dataset. */
const CROWDS = [
  ["pop", "tion"],
  ["popu", "ion"],
  ["fl", "gts"],
  ["fli", "ts"],
  ["t", ""],
  ["t", "e"],
] as const;

beforeAll(async () => {
  const dataset = {
    slug: "people",
    title: "Population tree of flights",
    summary: "",
    description: "",
    publisher: { name: "Tests" },
    license: "CC0-1.0",
    topics: [],
    sources: [],
    temporalCoverage: null,
  };
  const table = { slug: "rows", name: "Rows", description: "", position: 0 };
  const version = {
    digest: "0".repeat(64),
    bytes: 1,
    rows: 1,
    columns: [],
    profilesJson: "{}",
    orderBy: [],
    primaryKey: [],
    change: "first" as const,
    publishedAt: new Date(),
  };
  await recordPublication({ dataset, table }, version, ADMINISTRATOR);
  const { pool } = await database();
  for (const [start, end] of CROWDS)
    await pool.query(
      `INSERT INTO "SearchWord" (word, stem)
       SELECT $1 || chr(97 + i % 26) || chr(97 + i / 26 % 26) || chr(97 + i / 676 % 26) || $2, 'x'
       FROM generate_series(0, 17575) AS i ON CONFLICT DO NOTHING`,
      [start, end],
    );
  const { rows } = await pool.query(`SELECT count(*)::int AS words FROM "SearchWord"`);
  expect(rows[0].words).toBeGreaterThan(100_000);
});

beforeEach(() => void vi.mocked(editDistance).mockClear());

test.each([
  ["poplation", "population"],
  ["popualtion", "population"],
  ["flihgts", "flights"],
  ["tere", "tree"],
])("of a vocabulary full of words like it, a bounded number is compared with %j", async (word, meant) => {
  const [term] = await readSearchTerms([word], [await publicCatalogue(new Date())]);
  expect(term?.readings[0]?.word).toBe(meant);
  expect(vi.mocked(editDistance).mock.calls.length).toBeLessThanOrEqual(COMPARED_MAX);
});

test("every comparison stops at the maximum distance of a misspelling", async () => {
  await readSearchTerms(["popualtoin"], [await publicCatalogue(new Date())]);
  const bounds = vi.mocked(editDistance).mock.calls.map(([, , bound]) => bound);
  expect(Math.max(...bounds)).toBe(3);
});
