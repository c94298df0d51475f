const SIGNS = ["creativecommons.org", "cc by", "cc-by", "cc0", "dl-de", "open government licen", "opendatacommons"];
const WORDS = ["licence", "license", "lizenz", "licencia", "licença", "licenza"];
const HINTS_MAX = 5;
const CHARACTERS_MAX = 200;
const MEMBERS_MAX = 200;
const DEPTH_MAX = 3;

/** Strings that seem to name a licence, unchanged. They are only reported, never interpreted. */
export function licenceHints(texts: readonly string[]): string[] {
  const found = texts.filter((text) => {
    const plain = text.slice(0, 2000).toLowerCase();
    return [...SIGNS, ...WORDS].some((sign) => plain.includes(sign));
  });
  return [...new Set(found.map((text) => text.trim().slice(0, CHARACTERS_MAX)))].slice(0, HINTS_MAX);
}

/** Strings of a document outside its records, each preceded by its name. */
export function aboutTexts(document: unknown, depth = 0): string[] {
  if (typeof document !== "object" || document === null || Array.isArray(document) || depth > DEPTH_MAX) return [];
  return Object.entries(document)
    .slice(0, MEMBERS_MAX)
    .flatMap(([name, value]) =>
      typeof value === "string" ? [`${name}: ${value}`] : aboutTexts(value as unknown, depth + 1),
    );
}
