import type { Kind, Said } from "@/lib/testing/door-files/door-file";

type Random = () => number;
type Cell = string | null;

export const pick = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
const below = (random: Random, most: number): number => Math.floor(random() * most);
const digitsOf = (random: Random, count: number): string =>
  Array.from({ length: count }, (_, at) => (at === 0 ? 1 + below(random, 9) : below(random, 10))).join("");

interface MadeColumn {
  cells: string[];
  means: string[];
  as?: Kind;
  isAmbiguous?: boolean;
  /** The sign that marks decimals. */
  decimal?: "." | ",";
  /** Whether that sign could as well separate thousands. */
  isUnclear?: boolean;
}

const WORDS = [
  "Aarau",
  "Bern",
  "Łódź",
  "Köln",
  "New York",
  "São Paulo",
  "Bronx",
  "Note",
  "Sourceville",
  "東京",
  "O'Hara",
];
const LATIN = ["Aarau", "Bern", "Köln", "New York", "São Paulo", "Genève", "Bronx", "Málaga"];
const PHRASES = ["a, b", "x; y", 'say "hi"', "two\nlines", "tab\there", "a|b", " padded ", "CR LF\r\nhere"];
const NAMES = ["place", "count", "level", "day", "kind", "value", "code", "Größe", "share", "Anzahl"];

/** The notation of a country: decimal mark and mark of thousands. */
const COUNTRIES = {
  plain: [".", ""],
  english: [".", ","],
  german: [",", "."],
  french: [",", "\u202f"],
  swiss: [".", "'"],
  swedish: [",", "\u00a0"],
} as const;

function notated(random: Random, count: number, country: keyof typeof COUNTRIES): MadeColumn {
  const [mark, thousands] = COUNTRIES[country];
  const fraction = 1 + below(random, 4);
  const numbers = Array.from({ length: count }, () => {
    const whole = digitsOf(random, 1 + below(random, 7));
    return { whole, part: digitsOf(random, fraction), sign: random() < 0.1 ? "-" : "" };
  });
  const grouped = (whole: string) => whole.replace(/\B(?=(?:\d{3})+$)/g, thousands);
  const isDecided = numbers.some(({ whole }) => thousands !== "" && whole.length > 3) || fraction !== 3;
  return {
    as: "number",
    decimal: mark,
    isUnclear: fraction === 3 && numbers.every(({ whole }) => whole.length <= 3),
    cells: numbers.map(({ whole, part, sign }) => `${sign}${grouped(whole)}${mark}${part}`),
    means: numbers.map(({ whole, part, sign }) => `${sign}${whole}.${part}`),
    isAmbiguous: country !== "plain" && !isDecided,
  };
}

function dated(random: Random, count: number, how: "iso" | "german" | "american" | "british"): MadeColumn {
  const days = Array.from({ length: count }, () => [
    `${1900 + below(random, 200)}`,
    `${1 + below(random, 12)}`.padStart(2, "0"),
    `${1 + below(random, 28)}`.padStart(2, "0"),
  ]);
  const written = {
    iso: ([y, m, d]: string[]) => `${y}-${m}-${d}`,
    german: ([y, m, d]: string[]) => `${d}.${m}.${y}`,
    american: ([y, m, d]: string[]) => `${m}/${d}/${y}`,
    british: ([y, m, d]: string[]) => `${d}/${m}/${y}`,
  }[how];
  return {
    as: "date",
    cells: days.map((day) => written(day)),
    means: days.map(([y, m, d]) => `${y}-${m}-${d}`),
    isAmbiguous: (how === "american" || how === "british") && days.every(([, , d]) => Number(d) <= 12),
  };
}

const same = (cells: string[], as?: Kind): MadeColumn => ({ cells, means: cells, ...(as && { as }) });

type Maker = (random: Random, count: number, isLatin: boolean) => MadeColumn;

const times = (count: number, one: () => string): string[] => Array.from({ length: count }, one);

const MAKERS: readonly Maker[] = [
  (random, count) =>
    same(
      times(count, () => `${below(random, 1_000_000)}`),
      "number",
    ),
  (random, count) =>
    same(
      times(count, () => digitsOf(random, 15 + below(random, 8))),
      "number",
    ),
  (random, count) => ({
    ...same(
      times(count, () => `${digitsOf(random, 1 + below(random, 12))}.${digitsOf(random, 1 + below(random, 9))}`),
      "number",
    ),
    decimal: ".",
  }),
  ...(Object.keys(COUNTRIES) as (keyof typeof COUNTRIES)[]).map(
    (country): Maker =>
      (random, count) =>
        notated(random, count, country),
  ),
  ...(["iso", "iso", "german", "american", "british"] as const).map(
    (how): Maker =>
      (random, count) =>
        dated(random, count, how),
  ),
  (random, count, isLatin) => same(times(count, () => pick(random, isLatin ? LATIN : WORDS))),
  (random, count, isLatin) => same(times(count, () => pick(random, [...(isLatin ? LATIN : WORDS), ...PHRASES]))),
  (random, count) => same(times(count, () => `0${digitsOf(random, 4)}`)),
  (random, count) =>
    same(
      times(count, () => pick(random, ["true", "false"])),
      "boolean",
    ),
  (random, count) => {
    const cells = times(count, () => `2026-0${1 + below(random, 9)}-1${below(random, 9)}T1${below(random, 9)}:30:00Z`);
    return { as: "timestamp", cells, means: cells.map((cell) => cell.replace("T", " ").replace("Z", "")) };
  },
];

interface Drawn {
  columns: Said[];
  ambiguous: string[];
}

/** Marks mean the same in a whole file: beside the other sign for decimals, `1.234` would say 1234. */
const cleared = ({ cells, means, as }: MadeColumn): MadeColumn => ({
  cells: cells.map((cell) => `${cell}1`),
  means: means.map((value) => `${value}1`),
  ...(as && { as }),
});

/** Columns with true cells. The first has a value in each row. */
export function drawn(random: Random, isLatin: boolean): Drawn {
  const [width, count] = [2 + below(random, 5), 4 + below(random, 30)];
  const first = below(random, NAMES.length);
  const ambiguous: string[] = [];
  const made = Array.from({ length: width }, (_, at) => {
    const column = pick(random, MAKERS)(random, count, isLatin);
    const share = at > 0 && random() < 0.3 ? random() / 2 : 0;
    return { ...column, isMissing: column.cells.map(() => random() < share) };
  });
  const columns = made.map((column, at): Said => {
    const isForeign = made.some(({ decimal }) => decimal !== undefined && decimal !== column.decimal);
    const { cells, means, as, isAmbiguous } = column.isUnclear && isForeign ? cleared(column) : column;
    const { isMissing } = column;
    const name = NAMES[(first + at) % NAMES.length] ?? "";
    if (isAmbiguous) ambiguous.push(name);
    const without = (all: readonly string[]): Cell[] => all.map((cell, row) => (isMissing[row] ? null : cell));
    return { name, cells: without(cells), means: without(means), ...(as && { as }) };
  });
  return { columns, ambiguous };
}
