import { DOOR_FILES } from "./door-files/all-files";
import { madeTable } from "./made-tables/made-table";
import { numbersFrom } from "./seeded-numbers";

type Random = () => number;

export interface DamagedFile {
  file: string;
  bytes: Buffer;
  /** What was done, for people. */
  how: string;
}

const SOUND = Object.values(DOOR_FILES).flat();
const MADE_TABLES = 5000;

/** A file of an index, damaged: the same each time. */
export async function damagedFile(seed: number): Promise<DamagedFile> {
  const random = numbersFrom(seed);
  const { file, bytes, name } = await soundFile(random);
  const other = await soundFile(random);
  const how: string[] = [];
  let damaged = bytes;
  for (let at = 0; at <= below(random, 3); at += 1) {
    const [word, change] = pick(random, DAMAGES);
    damaged = change(random, damaged, other.bytes);
    how.push(word);
  }
  return { file, bytes: damaged, how: `${name}: ${how.join(", ")}` };
}

async function soundFile(random: Random): Promise<{ file: string; bytes: Buffer; name: string }> {
  if (random() < 0.5) {
    const made = await madeTable(below(random, MADE_TABLES));
    return { ...made, name: made.file };
  }
  const { file, bytes, name } = pick(random, SOUND);
  return { file, name, bytes: typeof bytes === "function" ? await bytes() : bytes };
}

const below = (random: Random, most: number): number => Math.floor(random() * most);
const pick = <T>(random: Random, all: readonly T[]): T => all[below(random, all.length)] as T;

/** From and to, in order. */
function range(random: Random, { length }: Buffer): [from: number, to: number] {
  const from = below(random, length);
  return [from, Math.min(length, from + 1 + below(random, Math.max(1, Math.floor(length / 4))))];
}

const SIGNS = [
  '"',
  ",",
  "\n",
  "\r",
  "\0",
  "{",
  "}",
  "[",
  "]",
  "\\",
  ";",
  "\xff",
  "PK",
  "PAR1",
  "\x1f\x8b",
  "9e999",
  "<",
];

type Damage = (random: Random, bytes: Buffer, other: Buffer) => Buffer;

const DAMAGES: readonly (readonly [string, Damage])[] = [
  [
    "bits flipped",
    (random, bytes) => {
      const copy = Buffer.from(bytes);
      for (let at = 0; at <= below(random, 5) && copy.length > 0; at += 1) {
        const place = below(random, copy.length);
        copy[place] = (copy[place] ?? 0) ^ (1 << below(random, 8));
      }
      return copy;
    },
  ],
  ["cut", (random, bytes) => bytes.subarray(0, below(random, bytes.length + 1))],
  ["beginning cut", (random, bytes) => bytes.subarray(below(random, Math.min(64, bytes.length + 1)))],
  [
    "a range removed",
    (random, bytes) => {
      const [from, to] = range(random, bytes);
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
    },
  ],
  [
    "a range repeated",
    (random, bytes) => {
      const [from, to] = range(random, bytes);
      return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
    },
  ],
  [
    "a range of zeros",
    (random, bytes) => {
      const [from, to] = range(random, bytes);
      return Buffer.from(bytes).fill(0, from, to);
    },
  ],
  [
    "spliced with another",
    (random, bytes, other) =>
      Buffer.concat([
        bytes.subarray(0, below(random, bytes.length + 1)),
        other.subarray(below(random, other.length + 1)),
      ]),
  ],
  [
    "a sign inserted",
    (random, bytes) => {
      const place = below(random, bytes.length + 1);
      return Buffer.concat([
        bytes.subarray(0, place),
        Buffer.from(pick(random, SIGNS), "latin1"),
        bytes.subarray(place),
      ]);
    },
  ],
  ["followed by another", (_random, bytes, other) => Buffer.concat([bytes, other])],
];
