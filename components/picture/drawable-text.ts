import { normalizeText } from "@/lib/kernel/normalize-text";

/** Characters that the pictures' font contains. A missing one would be fetched from the network. */
const DRAWN = /^[ -~¡-¨ª-¬¯-ňŊ-ſȘ-țẠ-ỹΆΈ-ΊΌΎ-ΡΣ-ώЀ-џ–—‘’‚“”„†•…‹›€№−]$/u;
const LETTER_OR_NUMBER = /\p{Letter}|\p{Number}/u;
/** Characters that are replaced by a plain form. */
const PLAIN: Readonly<Record<string, string>> = {
  "\u00a0": " ",
  "\u202f": " ",
  "\u2009": " ",
  "\u2010": "-",
  "\u2011": "-",
  "©": "(c)",
  "®": "(R)",
  "™": "(TM)",
};

/** `text` as it can be drawn: characters without a glyph are omitted. If letters would be lost, `instead` is used. */
export function drawableText(text: string, instead: string): string {
  let drawn = "";
  for (const sign of normalizeText(text, "NFC").replace(/\s+/g, " ").trim()) {
    const plain = PLAIN[sign] ?? sign;
    if (isDrawn(plain)) drawn += plain;
    else if (LETTER_OR_NUMBER.test(plain)) return instead;
  }
  const kept = drawn.replace(/ {2,}/g, " ").trim();
  return kept || instead;
}

const isDrawn = (sign: string): boolean =>
  sign.length > 1 ? Array.from(sign).every((part) => DRAWN.test(part)) : DRAWN.test(sign);

/** The start of a string, at most `most` characters, cut between words. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = text.slice(0, most);
  const words = beginning.replace(/\s+\S*$/, "");
  return `${words.length > most / 2 ? words : beginning}…`;
}
