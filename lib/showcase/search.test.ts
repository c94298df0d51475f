import { createHash } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { searchWords } from "@/lib/schemas/search-words";
import { ADMINISTRATOR } from "@/lib/store/audit";
import { findDatasetIds, findDatasets } from "@/lib/store/catalogue/catalogue";
import { recordPublication } from "@/lib/store/datasets/versions";
import { useTestState } from "@/lib/testing/database";
import { SEARCHES } from "@/lib/testing/searches";
import { showcaseCatalogue } from "./catalogue";

const CATALOGUE = showcaseCatalogue();

useTestState();

beforeAll(async () => {
  for (const { dataset, tables } of CATALOGUE) {
    for (const [position, { slug, name, description, columns }] of tables.entries()) {
      const stored = columns.map((note) => ({
        name: note.name,
        type: note.type ?? "string",
        storage: "",
        nullable: true,
        description: note.description ?? null,
        unit: note.unit ?? null,
      }));
      const digest = createHash("sha256").update(`${dataset.slug}/${slug}`).digest("hex");
      const version = {
        digest,
        bytes: 1,
        rows: 1,
        columns: stored,
        profilesJson: "{}",
        orderBy: [],
        primaryKey: [],
        change: "first",
        publishedAt: new Date(),
      } as const;
      await recordPublication({ dataset, table: { slug, name, description, position } }, version, ADMINISTRATOR);
    }
  }
});

/** The slugs that a search finds, best first. */
async function find(text: string): Promise<string[]> {
  const { positions } = await findDatasetIds({ words: searchWords(text), sort: "relevance", limit: 20 }, new Date());
  return (await findDatasets(positions.map(({ id }) => id))).map(({ slug }) => slug);
}

/** Reports which searches do not find their dataset first, and what they find instead. */
async function misses(searches: readonly (readonly [text: string, slug: string])[]): Promise<string[]> {
  const missed: string[] = [];
  for (const [text, slug] of searches) {
    const found = await find(text);
    if (found[0] !== slug)
      missed.push(`“${text}”: ${slug} comes ${found.indexOf(slug) + 1 || "never"}, first ${found[0] ?? "nothing"}`);
  }
  return missed;
}

/** A number from 0 up to `below`, the same for the same text and seed. */
const draw = (text: string, seed: string, below: number): number =>
  createHash("sha256").update(`${seed} ${text}`).digest().readUInt32BE() % below;

/**
 * One typing error in the longest word: two letters swapped, or one left out, put in or replaced, at a place that the
 * seed draws.
 */
function misspell(text: string, seed: string): string {
  const word =
    [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(([found]) => found).sort((a, b) => b.length - a.length)[0] ?? "";
  const at = draw(text, `${seed} at`, word.length - 1);
  const letter = "abcdefghijklmnopqrstuvwxyz"[draw(text, `${seed} letter`, 26)];
  const [head, tail] = [word.slice(0, at), word.slice(at)];
  const wrong = [
    `${head}${tail[1]}${tail[0]}${tail.slice(2)}`,
    `${head}${tail.slice(1)}`,
    `${head}${letter}${tail}`,
    `${head}${letter}${tail.slice(1)}`,
  ][draw(text, `${seed} kind`, 4)];
  return text.replace(word, wrong ?? word);
}

test.each(["chess championship", "stock prices", "unemployment rate germany", "football results by season"])(
  "%s is in no dataset, so the search finds none",
  async (text) => {
    expect(await find(text)).toEqual([]);
  },
);

const report = (how: string, missed: readonly string[]): void =>
  void process.stdout.write(
    `${SEARCHES.length - missed.length} of ${SEARCHES.length} searches ${how} find their dataset first\n` +
      `${missed.map((line) => `  ${line}\n`).join("")}`,
  );

test("there are many searches, without duplicates", () => {
  expect(SEARCHES.length).toBeGreaterThanOrEqual(40);
  expect(new Set(SEARCHES.map(([text]) => text)).size).toBe(SEARCHES.length);
});

test("every search but two finds its dataset first", async () => {
  const missed = await misses(SEARCHES);
  expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(2);
  report("as they are", missed);
});

test.each(["first", "second", "third"])(
  "with one typing error in each, drawn by the %s seed, three out of four still do",
  async (seed) => {
    const missed = await misses(SEARCHES.map(([text, slug]) => [misspell(text, seed), slug]));
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(SEARCHES.length / 4);
    report(`misspelt by the ${seed} seed`, missed);
  },
);
