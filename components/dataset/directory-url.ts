import { FRESHNESS_STATES } from "@/lib/schemas/freshness";

/** The state of the directory, all of it in the address. */
export interface DirectoryState {
  q?: string | undefined;
  topic?: string | undefined;
  publisher?: string | undefined;
  license?: string | undefined;
  freshness?: string | undefined;
  size?: string | undefined;
  sort?: string | undefined;
  cursor?: string | undefined;
}

/** The facets in the order of the page. */
export const FACETS = [
  { name: "topic", title: "Topic" },
  { name: "publisher", title: "Publisher" },
  { name: "license", title: "Licence" },
  { name: "size", title: "Size" },
  { name: "freshness", title: "Freshness" },
] as const;

export type FacetName = (typeof FACETS)[number]["name"];

/** Sizes by their rows, smallest first. */
export const SIZE_LABELS = {
  "under-1k": "Under 1,000 rows",
  "1k-10k": "1,000 to 9,999 rows",
  "10k-100k": "10,000 to 99,999 rows",
  "100k-1m": "100,000 to 999,999 rows",
  "over-1m": "1,000,000 rows or more",
} as const satisfies Record<string, string>;

/** The sorts that can be requested by name. */
const SORTS = ["relevance", "published", "title"];

/** Bounds of a value: a maximum length, or a closed list. */
const VALUES: Record<keyof DirectoryState, number | readonly string[]> = {
  q: 200,
  topic: 60,
  publisher: 80,
  license: 200,
  freshness: Object.keys(FRESHNESS_STATES),
  size: Object.keys(SIZE_LABELS),
  sort: SORTS,
  cursor: 2000,
};
const NAMES = Object.keys(VALUES) as (keyof DirectoryState)[];

/** The state as query parameters, for the page and for the API alike; absent or empty values are left out. */
export const directoryParams = (state: DirectoryState): URLSearchParams =>
  new URLSearchParams(NAMES.flatMap((name) => (state[name] ? [[name, state[name]]] : [])));

/** The directory's address in this state. */
export function directoryUrl(state: DirectoryState): string {
  const text = directoryParams(state).toString();
  return text ? `/datasets?${text}` : "/datasets";
}

/**
 * Parses the state from an address; a repeated parameter counts once, unknown values are ignored, control characters
 * are dropped.
 */
export function readDirectoryState(params: Readonly<Record<string, string | string[] | undefined>>): DirectoryState {
  return Object.fromEntries(NAMES.flatMap((name) => readValue(name, params[name])));
}

function readValue(name: keyof DirectoryState, value: string | string[] | undefined): [string, string][] {
  const text = (Array.isArray(value) ? value[0] : value)?.replaceAll(/\p{Cc}/gu, "").trim();
  if (!text) return [];
  const allowed = VALUES[name];
  if (typeof allowed === "number") return [[name, text.slice(0, allowed)]];
  return allowed.includes(text) ? [[name, text]] : [];
}
