import type { StoredSource } from "@/lib/store/sources";

/** Longer ones are cut: they are found by their beginnings, and nobody reads more. */
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
 * What no text of a list needs: control characters, what turns its direction, halves of letters, which the database
 * cannot hold.
 */
const UNSEEN = /[\p{Cc}\p{Cs}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** A provider's text as one line of readable letters. */
const clean = (text: string, length: number): string =>
  [...text.replace(/\s+/g, " ").replace(UNSEEN, "").trim()].slice(0, length).join("");

const cleanOrNull = (text: string | null, length: number): string | null =>
  text === null ? null : clean(text, length) || null;

/** An address is left out rather than cut. */
const wholeAddress = (url: string | null): string | null => (url !== null && url.length <= LENGTHS.url ? url : null);

/**
 * The name of a provider, or the version that its list names, as one short line; null where nothing readable is left.
 */
export const cleanTitle = (text: string | null): string | null => cleanOrNull(text, LENGTHS.name);

/** A source whose texts can be kept and shown, whatever its provider wrote. */
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
