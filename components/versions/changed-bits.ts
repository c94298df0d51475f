import { stringify } from "lossless-json";

/** A piece of a cell: in both versions, or only in this one. */
export interface Bit {
  text: string;
  isChanged: boolean;
}

/** A cell in both versions: its value, and its text as shown. */
export interface CellSides {
  before: { value: unknown; text: string };
  after: { value: unknown; text: string };
}

/** Above this many token comparisons, everything between the first and the last difference is marked. */
const STEPS_MAX = 250_000;
/** With less than this share in common, two texts count as entirely different. */
const COMMON_MIN = 0.25;

/**
 * What differs between two cells: entries of lists, words of text and JSON. Numbers, times and texts with little in
 * common are marked entirely.
 */
export function changedBits({ before, after }: CellSides): { before: Bit[]; after: Bit[] } {
  const [one, two] = [tokensOf(before), tokensOf(after)];
  const kept = keptTokens(one, two);
  const common = kept.before.reduce((sum, isKept, at) => sum + (isKept ? (one[at]?.length ?? 0) : 0), 0);
  if (common < COMMON_MIN * Math.max(before.text.length, after.text.length))
    return { before: [{ text: before.text, isChanged: true }], after: [{ text: after.text, isChanged: true }] };
  return { before: bitsOf(one, kept.before), after: bitsOf(two, kept.after) };
}

function tokensOf({ value, text }: CellSides["before"]): string[] {
  if (Array.isArray(value)) {
    const entries = value.flatMap((entry, at) => [...(at > 0 ? [","] : []), stringify(entry) ?? "null"]);
    return ["[", ...entries, "]"];
  }
  const isText = typeof value === "string" || (typeof value === "object" && value !== null && text.startsWith("{"));
  return isText ? Array.from(words().segment(text), ({ segment }) => segment) : [text];
}

let segmenter: Intl.Segmenter | undefined;

function words(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  return segmenter;
}

/**
 * For each token of both sides, whether it is in both: the common beginning and end, and a longest common subsequence
 * between them.
 */
function keptTokens(one: readonly string[], two: readonly string[]): { before: boolean[]; after: boolean[] } {
  const least = Math.min(one.length, two.length);
  let start = 0;
  while (start < least && one[start] === two[start]) start++;
  let end = 0;
  while (end < least - start && one[one.length - 1 - end] === two[two.length - 1 - end]) end++;
  const isOutside = (tokens: readonly string[]) => tokens.map((_, at) => at < start || at >= tokens.length - end);
  const kept = { before: isOutside(one), after: isOutside(two) };
  const [left, right] = [one.slice(start, one.length - end), two.slice(start, two.length - end)];
  if (left.length * right.length > STEPS_MAX) return kept;
  for (const [x, y] of commonPlaces(left, right)) {
    kept.before[start + x] = true;
    kept.after[start + y] = true;
  }
  return kept;
}

/** Places of a longest common subsequence. */
function commonPlaces(one: readonly string[], two: readonly string[]): [number, number][] {
  const wide = two.length + 1;
  const most = new Uint32Array((one.length + 1) * wide);
  const at = (x: number, y: number) => most[x * wide + y] ?? 0;
  for (let x = one.length - 1; x >= 0; x--)
    for (let y = two.length - 1; y >= 0; y--)
      most[x * wide + y] = one[x] === two[y] ? at(x + 1, y + 1) + 1 : Math.max(at(x + 1, y), at(x, y + 1));
  const places: [number, number][] = [];
  for (let x = 0, y = 0; x < one.length && y < two.length; ) {
    if (one[x] === two[y]) places.push([x++, y++]);
    else if (at(x + 1, y) >= at(x, y + 1)) x++;
    else y++;
  }
  return places;
}

/** Adjacent tokens of one kind become one piece; a space between two changed words counts as changed. */
function bitsOf(tokens: readonly string[], kept: readonly boolean[]): Bit[] {
  const bits: Bit[] = [];
  tokens.forEach((text, at) => {
    const isBetween = text.trim() === "" && kept[at - 1] === false && kept[at + 1] === false;
    const isChanged = !kept[at] || isBetween;
    const last = bits.at(-1);
    if (last?.isChanged === isChanged) last.text += text;
    else bits.push({ text, isChanged });
  });
  return bits;
}
