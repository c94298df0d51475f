/** Why PostgreSQL cannot store a string, in words that continue a sentence; undefined if it can. */
export function unstorableText(text: string): string | undefined {
  if (text.includes("\0")) return "contains the character U+0000 (NUL), which cannot be stored. Remove it";
  if (!text.isWellFormed()) return "contains half a character (an unpaired surrogate). Remove it";
  return undefined;
}
