/** The text without any of `signs` at its end, in one pass: `/x+$/` would retry each run from each of its positions. */
export function withoutEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** The text without any of `signs` at its start. */
export function withoutStart(text: string, signs: string): string {
  let start = 0;
  while (start < text.length && signs.includes(text.charAt(start))) start++;
  return text.slice(start);
}
