const SMALL = 8 * 1024;
const TIMES = 8;
const LARGE = TIMES * SMALL;
/** Eight times the text may cost twelve times the processor time: linear, with room for caches and collection. */
const GROWTH_MAX = 12;
/**
 * Microseconds. Less than this for 64 KiB, the size of the largest body, is harmless; garbage collection is included.
 */
const FLOOR_US = 20_000;
const ATTEMPTS = 15;

/** Strings on which patterns and loops are slow, each of exactly `length` UTF-16 units. */
export const WORST_TEXTS: Readonly<Record<string, (length: number) => string>> = {
  "one letter": (length) => "a".repeat(length),
  "one letter, then a mismatch": (length) => `${"a".repeat(length - 1)}!`,
  "one digit": (length) => "9".repeat(length),
  "zeros between ones": (length) => `1${"0".repeat(length - 2)}1`,
  "decimal zeros between ones": (length) => `0.${"0".repeat(length - 3)}1`,
  spaces: (length) => " ".repeat(length),
  "spaces, then a mismatch": (length) => `${" ".repeat(length - 1)}x`,
  "spaces within": (length) => `x${" ".repeat(length - 2)}x`,
  "line ends": (length) => repeated("\r\n", length),
  "blank lines within": (length) => `x${"\n".repeat(length - 2)}x`,
  "tabs and spaces": (length) => repeated("\t ", length),
  commas: (length) => ",".repeat(length),
  "comma and space": (length) => repeated(", ", length),
  "letters and commas": (length) => repeated("a,", length),
  semicolons: (length) => repeated(";a=", length),
  "colons and dots": (length) => repeated("1:.", length),
  hyphens: (length) => "-".repeat(length),
  "letters and hyphens": (length) => repeated("a-", length),
  slashes: (length) => "/".repeat(length),
  "upward paths": (length) => repeated("../", length),
  dots: (length) => ".".repeat(length),
  "double quotes": (length) => '"'.repeat(length),
  "quotes and letters": (length) => repeated('"a', length),
  "single quotes": (length) => "'".repeat(length),
  backslashes: (length) => "\\".repeat(length),
  "escaped quotes": (length) => repeated('\\"', length),
  "an open string of commas": (length) => `"${",".repeat(length - 1)}`,
  "an open string": (length) => `"${"a".repeat(length - 1)}`,
  "open braces": (length) => "{".repeat(length),
  "closed braces": (length) => "}".repeat(length),
  "nested lists": (length) => "[".repeat(length / 2) + "]".repeat(length / 2),
  "nested objects": (length) => repeated('{"a":', length),
  parentheses: (length) => "(".repeat(length / 2) + ")".repeat(length / 2),
  "open angles": (length) => "<".repeat(length),
  tags: (length) => repeated("<a>", length),
  "open comments": (length) => repeated("<!--", length),
  "link openings": (length) => repeated("[a](", length),
  "link texts": (length) => repeated("![", length),
  emphasis: (length) => repeated("*a ", length),
  "emphasis of two signs": (length) => repeated("*_", length),
  underscores: (length) => "_".repeat(length),
  backticks: (length) => "`".repeat(length),
  "backticks and letters": (length) => repeated("`a", length),
  hashes: (length) => "#".repeat(length),
  "quote marks of lines": (length) => repeated(">\n", length),
  "pipes and hyphens": (length) => repeated("|-", length),
  "per cent signs": (length) => "%".repeat(length),
  "per cent codes": (length) => repeated("%25", length),
  "per cent continuation bytes": (length) => repeated("%E2%82", length),
  ampersands: (length) => "&".repeat(length),
  "names alone": (length) => repeated("a&", length),
  "names and values": (length) => numbered(length, (at) => `p${at}=1&`),
  "one name again": (length) => repeated("a=1&", length),
  "different words": (length) => numbered(length, (at) => `w${at} `),
  "different words and commas": (length) => numbered(length, (at) => `w${at},`),
  "different keys": (length) => numbered(length, (at) => `"k${at}":1,`),
  "addresses of web pages": (length) => repeated("http://a.b/", length),
  "at signs": (length) => repeated("a@", length),
  "mail addresses": (length) => repeated("a@b.c", length),
  "combining marks": (length) => `a${"\u0301".repeat(length - 1)}`,
  "combining marks out of order": (length) => `a${repeated("\u0301\u0323", length - 1)}`,
  "halves of pairs": (length) => "\ud83d".repeat(length),
  "pairs of surrogates": (length) => repeated("😀", length),
  "joined emoji": (length) => repeated("👩\u200d", length),
  controls: (length) => repeated("\u001b[", length),
  nulls: (length) => "\u0000".repeat(length),
  "letters that fold": (length) => repeated("ßİ", length),
};

/** A unit repeated and cut to `length` UTF-16 units. */
export function repeated(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

function numbered(length: number, part: (at: number) => string): string {
  let text = "";
  for (let at = 0; text.length < length; at++) text += part(at);
  return text.slice(0, length);
}

/** The strings whose processor time grows more than linearly, with the measurements; empty for a linear parser. */
export function superlinear(
  parse: (text: string) => unknown,
  texts: Readonly<Record<string, (length: number) => string>> = WORST_TEXTS,
): string[] {
  return Object.entries(texts).flatMap(([name, make]) => {
    const fault = growthFault(parse, make(SMALL), make(LARGE));
    return fault === undefined ? [] : [`${name}: ${fault}`];
  });
}

/**
 * The large text once and the small one eight times take equally long in a linear parser, so that a slow moment of the
 * machine is as likely in one as in the other. One attempt within the bound is enough: a quadratic parser takes eight
 * times as long in each.
 */
function growthFault(parse: (text: string) => unknown, small: string, large: string): string | undefined {
  const measured: string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const ofLarge = threadTime(parse, large, 1);
    if (ofLarge <= FLOOR_US) return undefined;
    const ofSmall = threadTime(parse, small, TIMES) / TIMES;
    if (ofLarge <= ofSmall * GROWTH_MAX) return undefined;
    measured.push(`${ofSmall} µs for ${SMALL} characters, ${ofLarge} µs for ${LARGE}`);
  }
  return measured.at(-1);
}

/**
 * Microseconds of processor time of this thread, without other work of the process, for parsing a text `times` times.
 * An error thrown by the parser counts as its result.
 */
function threadTime(parse: (text: string) => unknown, text: string, times: number): number {
  const start = process.threadCpuUsage();
  for (let time = 0; time < times; time += 1) {
    try {
      parse(text);
    } catch {}
  }
  const { user, system } = process.threadCpuUsage(start);
  return user + system;
}
