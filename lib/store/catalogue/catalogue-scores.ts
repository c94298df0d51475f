import { PARTS, type Posting } from "./postings";

const WEIGHTS: Record<(typeof PARTS)[number], number> = {
  title: 60,
  slug: 40,
  summary: 25,
  topics: 16,
  publisher: 16,
  license: 16,
  tables: 10,
  columns: 9,
  values: 7,
  description: 5,
};
/** Parts in which a word tells what a dataset is about. Elsewhere it may occur by chance. */
const TOPICAL = setOf(["title", "slug", "summary", "topics", "tables"]);

/** For each set of parts, the largest of their weights and the sum. */
const SETS = 1 << PARTS.length;
const LARGEST = Uint16Array.from({ length: SETS }, (_, set) => Math.max(0, ...weightsOf(set)));
const SUMS = Uint16Array.from({ length: SETS }, (_, set) => weightsOf(set).reduce((sum, weight) => sum + weight, 0));

function weightsOf(set: number): number[] {
  return PARTS.flatMap((part, bit) => ((set >> bit) & 1 ? [WEIGHTS[part]] : []));
}

function setOf(parts: readonly (typeof PARTS)[number][]): number {
  return parts.reduce((set, part) => set | (1 << PARTS.indexOf(part)), 0);
}

/** Names of a set's parts, in alphabetical order. */
export const partsOf = (set: number): string[] => PARTS.filter((_, bit) => (set >> bit) & 1).toSorted();

/** One word of a search, with the occurrences of each of its readings in each of the catalogues. */
export interface ScoredWord {
  /** `first` is the position of the catalogue's first dataset among those of all catalogues. */
  readings: readonly { word: string; quality: number; posting: Posting; first: number }[];
}

/** Where one word of a search occurs in a dataset: a set of parts, and the readings of the word that are found. */
interface WordHit {
  parts: number;
  words: string[];
}

/** For each of these datasets, where each word occurs. */
export function partsByWord(
  words: readonly ScoredWord[],
  indexes: readonly number[],
): ReadonlyMap<number, readonly WordHit[]> {
  const found = new Map(indexes.map((index) => [index, words.map((): WordHit => ({ parts: 0, words: [] }))]));
  for (const [at, { readings }] of words.entries())
    for (const { word, posting, first } of readings)
      for (const [entry, index] of posting.indexes.entries()) {
        const hit = found.get(index + first)?.[at];
        if (!hit) continue;
        hit.parts |= posting.parts[entry] as number;
        if (!hit.words.includes(word)) hit.words.push(word);
      }
  return found;
}

/** The datasets that a search finds, by their positions among those of all catalogues. */
export interface Scores {
  indexes: readonly number[];
  /** The first of all datasets that have any of the words, those with the most words first, then by score. */
  nearest(isLeft: (index: number) => boolean, limit: number): number[];
  /** The score of every index. */
  scores: Uint32Array;
  parts: Uint16Array;
}

/**
 * The results of a search among `size` datasets, and their scores. Each word counts where it weighs most, plus a little
 * for every other occurrence. Datasets with every word match; if none has them all, those that lack at most one word
 * more than the best. With two words, a dataset that has only one must have it in a topical part; with three, having
 * only one is noise.
 */
export function scoresOf(words: readonly ScoredWord[], size: number): Scores {
  const sum = new ScoreSum(size);
  for (const word of words) sum.add(word);
  const counted = sum.touched.filter((index) => {
    const count = sum.wordCounts[index] as number;
    return count > 1 || words.length === 1 || (words.length === 2 && sum.topical[index] === 1);
  });
  const most = counted.reduce((max, index) => Math.max(max, sum.wordCounts[index] as number), 0);
  const known = words.filter(({ readings }) => readings.length > 0).length;
  const enough = most === known ? most : Math.max(most - 1, 1);
  const indexes = counted.filter((index) => (sum.wordCounts[index] as number) >= enough);
  return { indexes, nearest: (isLeft, limit) => sum.nearest(isLeft, limit), scores: sum.scores, parts: sum.parts };
}

/** Sums of the words so far, by index. */
class ScoreSum {
  readonly scores: Uint32Array;
  readonly parts: Uint16Array;
  /** How many words were found at each index. */
  readonly wordCounts: Uint8Array;
  readonly topical: Uint8Array;
  /** Indexes at which any word was found. */
  readonly touched: number[] = [];

  constructor(private readonly size: number) {
    [this.scores, this.parts] = [new Uint32Array(size), new Uint16Array(size)];
    [this.wordCounts, this.topical] = [new Uint8Array(size), new Uint8Array(size)];
  }

  add({ readings }: ScoredWord): void {
    const [seen, largest] = [new Uint16Array(this.size), new Uint16Array(this.size)];
    // only the best reading of a part counts, so better ones come first
    for (const { quality, posting, first } of readings.toSorted((a, b) => b.quality - a.quality))
      for (let at = 0; at < posting.indexes.length; at += 1) {
        const index = first + (posting.indexes[at] as number);
        const before = seen[index] as number;
        const fresh = (posting.parts[at] as number) & ~before;
        if (fresh === 0) continue;
        if (before === 0) this.count(index);
        const weight = (LARGEST[fresh] as number) * quality;
        const rise = Math.max(0, weight - (largest[index] as number));
        largest[index] = (largest[index] as number) + rise;
        seen[index] = before | fresh;
        this.record(index, fresh, rise * 20 + (SUMS[fresh] as number) * quality);
      }
  }

  nearest(isLeft: (index: number) => boolean, limit: number): number[] {
    const key = (index: number) => (this.wordCounts[index] as number) * 2 ** 32 + (this.scores[index] as number);
    return this.touched
      .filter(isLeft)
      .toSorted((a, b) => key(b) - key(a) || a - b)
      .slice(0, limit);
  }

  private count(index: number): void {
    if (this.wordCounts[index] === 0) this.touched.push(index);
    this.wordCounts[index] = (this.wordCounts[index] as number) + 1;
  }

  private record(index: number, fresh: number, score: number): void {
    this.parts[index] = (this.parts[index] as number) | fresh;
    if (fresh & TOPICAL) this.topical[index] = 1;
    this.scores[index] = (this.scores[index] as number) + score;
  }
}
