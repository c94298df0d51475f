import type { StoredSource } from "@/lib/store/sources/sources";

/** Maximum lengths. Longer strings are cut: their beginnings are sufficient for search and for readers. */
const LENGTHS = {
  name: 200,
  title: 500,
  description: 5_000,
  format: 40,
  license: 300,
  url: 2_000,
  column: 200,
} as const;
const COLUMNS_MAX = 500;
const ORIGINS_MAX = 20;

/**
 * Characters that no list needs: control and bidirectional characters, and lone surrogates, which the database cannot
 * store.
 */
const UNSEEN = /[\p{Cc}\p{Cs}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** A provider's text as one line of readable characters. */
const clean = (text: string, length: number): string =>
  [...text.replace(/\s+/g, " ").replace(UNSEEN, "").trim()].slice(0, length).join("");

const cleanOrNull = (text: string | null, length: number): string | null =>
  text === null ? null : clean(text, length) || null;

/** A URL is omitted rather than cut. */
const wholeAddress = (url: string | null): string | null => (url !== null && url.length <= LENGTHS.url ? url : null);

/** A provider's name, or the version of its list, as one short line; null if nothing readable remains. */
export const cleanTitle = (text: string | null): string | null => cleanOrNull(text, LENGTHS.name);

/** A source whose strings are safe to store and show, whatever the provider wrote. */
export function cleanSource(source: StoredSource): StoredSource {
  return {
    name: clean(source.name, LENGTHS.name) || "unnamed",
    title: cleanOrNull(source.title, LENGTHS.title),
    description: clean(source.description, LENGTHS.description),
    url: wholeAddress(source.url),
    format: cleanOrNull(source.format, LENGTHS.format)?.toLowerCase().replace(/^\./, "") || null,
    mediaType: cleanOrNull(source.mediaType, LENGTHS.format * 3),
    bytes: source.bytes,
    columns: source.columns.slice(0, COLUMNS_MAX).map((column) => clean(column, LENGTHS.column)),
    license: cleanOrNull(source.license, LENGTHS.license),
    licenseUrl: wholeAddress(source.licenseUrl),
    origins: source.origins
      .slice(0, ORIGINS_MAX)
      .map(({ name, url }) => ({ name: clean(name, LENGTHS.title) || "unnamed", url: wholeAddress(url) })),
  };
}
