interface Part {
  text: string;
  marked: boolean;
}

/** Shorter words would mark half the page. */
const WORD_MIN = 2;

/** Splits text where words begin with one of the searched words, in any case of letters. */
export function markWords(text: string, q: string): Part[] {
  const words = (q.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).filter((word) => word.length >= WORD_MIN);
  if (words.length === 0) return [{ text, marked: false }];
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${longestFirst.join("|")})`, "giu");
  return text
    .split(pattern)
    .map((part, at) => ({ text: part, marked: at % 2 === 1 }))
    .filter((part) => part.text !== "");
}
