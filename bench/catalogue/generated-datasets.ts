import { randomUUID } from "node:crypto";
import { indexedWords } from "@/lib/schemas/search-words";
import { numbersFrom } from "@/lib/testing/seeded-numbers";

/** A dataset in the form that the fill writes, with the texts that the search reads. */
export interface GeneratedDataset {
  id: string;
  tableId: string;
  versionId: string;
  slug: string;
  title: string;
  summary: string;
  description: string;
  publisher: number;
  topics: string[];
  license: string;
  rows: number;
  columns: { name: string; type: string; storage: string; nullable: boolean; description: string; unit: null }[];
  /** Words of each part of the search. */
  words: Record<string, string[]>;
}

/** A word in the description of every dataset. */
export const EVERYWHERE = "records";
/** A word in one dataset. */
export const RARE = "quokkaberry";
/** A word in the titles of a fifth of the datasets. */
export const COMMON = "annual";

export const PUBLISHERS = 300;
const VOCABULARY = 30_000;
const TOPICS = 60;
const LICENCES = ["CC-BY-4.0", "CC0-1.0", "ODbL-1.0", "MIT", "OGL-UK-3.0", "PDDL-1.0", "CC-BY-SA-4.0", "Apache-2.0"];
const SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru sta tre pla".split(
  " ",
);
const ENDINGS = ["", "s", "ing", "ed", "er", "tion", "al", "n"];

const vocabulary = (() => {
  const next = numbersFrom(1);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const words = new Set<string>();
  while (words.size < VOCABULARY) {
    const syllables = Array.from({ length: 2 + Math.floor(next() * 3) }, () => pick(SYLLABLES));
    words.add(syllables.join("") + pick(ENDINGS));
  }
  return [...words];
})();

/** The word with a rank in the vocabulary, commonest first. */
export const wordOfRank = (rank: number): string => vocabulary[rank] ?? RARE;

/** One dataset by its number: texts of usual lengths, with words distributed as unevenly as in a language. */
export function generatedDataset(number: number): GeneratedDataset {
  const next = numbersFrom(number + 1_000);
  const skewed = (most: number) => Math.min(most - 1, Math.floor(most ** next()) - 1);
  const words = (count: number) => Array.from({ length: count }, () => wordOfRank(skewed(VOCABULARY))).join(" ");
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least));
  const title = [...(next() < 0.2 ? [COMMON] : []), words(between(3, 8)), ...(number === 7 ? [RARE] : [])].join(" ");
  const columns = Array.from({ length: between(6, 20) }, () => ({
    ...{ name: words(2).replace(" ", "_"), type: "string", storage: "VARCHAR", nullable: true },
    ...{ description: words(between(3, 9)), unit: null },
  }));
  const texts = {
    ...{ title, slug: `${words(2).replace(" ", "-")}-${number}`, summary: words(between(12, 28)) },
    description: `${EVERYWHERE} ${words(between(60, 180))}`,
    topics: Array.from({ length: between(1, 4) }, () => `topic ${wordOfRank(skewed(TOPICS))}`),
    license: LICENCES[skewed(LICENCES.length)] ?? "MIT",
  };
  const parts = {
    ...{ title: texts.title, slug: texts.slug, summary: texts.summary, description: texts.description },
    ...{ topics: texts.topics.join("\n"), license: texts.license, tables: `rows Rows ${words(6)}` },
    columns: columns.map(({ name, description }) => `${name} ${description}`).join("\n"),
    values: words(between(0, 40)),
  };
  return {
    ...{ id: randomUUID(), tableId: randomUUID(), versionId: randomUUID() },
    ...texts,
    topics: [...new Set(texts.topics)],
    publisher: skewed(PUBLISHERS),
    rows: Math.floor(10 ** (next() * 8)),
    columns,
    words: Object.fromEntries(Object.entries(parts).map(([part, text]) => [part, indexedWords(text)])),
  };
}
