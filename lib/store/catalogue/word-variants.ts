/** Synonyms in a catalogue: British and American spellings, and other names. */
const GROUPS: readonly (readonly string[])[] = [
  ["licence", "license"],
  ["licences", "licenses"],
  ["catalogue", "catalog"],
  ["colour", "color"],
  ["colours", "colors"],
  ["centre", "center"],
  ["fibre", "fiber"],
  ["harbour", "harbor"],
  ["labour", "labor"],
  ["neighbourhood", "neighborhood"],
  ["organisation", "organization"],
  ["programme", "program"],
  ["aluminium", "aluminum"],
  ["sulphur", "sulfur"],
  ["plane", "airplane", "aeroplane", "aircraft"],
  ["planes", "airplanes", "aeroplanes", "aircraft"],
  ["crash", "collision", "strike"],
  ["crashes", "collisions", "strikes"],
  ["car", "automobile"],
  ["cars", "automobiles"],
  ["film", "movie"],
  ["films", "movies"],
  ["rain", "rainfall", "precipitation"],
  ["quake", "earthquake", "tremor"],
  ["quakes", "earthquakes", "tremors"],
  ["jobs", "employment"],
  ["unemployment", "joblessness"],
];

/** Words that people search for, and the words that catalogues use instead. Not the other way round. */
const ONE_WAY_SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  warming: ["climate", "co2"],
  caniuse: ["compatibility"],
  bcp47: ["bcp"],
  postcode: ["postal", "zip"],
  postcodes: ["postal", "zip"],
};

const VARIANTS = new Map<string, Set<string>>();
for (const group of GROUPS)
  for (const word of group) VARIANTS.set(word, new Set([...(VARIANTS.get(word) ?? []), ...group]));
for (const [word, others] of Object.entries(ONE_WAY_SYNONYMS)) VARIANTS.set(word, new Set(others));

/** The synonyms of a word: `license` → `licence`. */
export const variantsOf = (word: string): string[] => [...(VARIANTS.get(word) ?? [])].filter((other) => other !== word);
