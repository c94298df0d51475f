/** With more distinct values than this, they are more likely free text than categories. */
const VALUES_MAX = 200;
const CHARACTERS_MAX = 60;
const GROUPS_MAX = 3;
const SPELLINGS_MAX = 5;
const WORDS = /^\p{L}[\p{L} ]{3,}$/u;

/** Groups of values that differ only in how a unit or a word is written: `µg/m³` and `ug/m3`, `Berlin` and `BERLIN`. */
export function spellingsOf(values: ReadonlySet<string>): string[][] {
  if (values.size < 2 || values.size > VALUES_MAX) return [];
  const groups = new Map<string, string[]>();
  for (const value of values) {
    if (value.length > CHARACTERS_MAX) continue;
    const folded = fold(value);
    groups.set(folded, [...(groups.get(folded) ?? []), value]);
  }
  const several = [...groups.values()].filter(({ length }) => length > 1);
  return several.slice(0, GROUPS_MAX).map((same) => same.slice(0, SPELLINGS_MAX));
}

/** Removes spaces, superscript digits and power signs. The case of a unit is kept, as mW and MW differ. */
function fold(value: string): string {
  const plain = value
    .normalize("NFKC")
    .replaceAll("\u03bc", "u")
    .replaceAll(/[\s^]+/g, "");
  return WORDS.test(value) ? plain.toLowerCase() : plain;
}
