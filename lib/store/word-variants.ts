/** Words that mean the same in a catalogue: British and American spellings, and other names. */
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
  ["quake", "earthquake"],
  ["quakes", "earthquakes"],
  ["jobs", "employment"],
  ["unemployment", "joblessness"],
];

const VARIANTS = new Map<string, Set<string>>();
for (const group of GROUPS)
  for (const word of group) VARIANTS.set(word, new Set([...(VARIANTS.get(word) ?? []), ...group]));

/** The other words for the same: `license` → `licence`. */
export const variantsOf = (word: string): string[] => [...(VARIANTS.get(word) ?? [])].filter((other) => other !== word);
