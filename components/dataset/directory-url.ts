import { FACET_VALUES_MAX } from "@/lib/schemas/facet-values";
import { FRESHNESS_STATES } from "@/lib/schemas/freshness";

type Choices = readonly string[] | undefined;

/** The state of the directory, held entirely in the URL. Datasets have at least one of each facet's chosen values. */
export interface DirectoryState {
  q?: string | undefined;
  topic?: Choices;
  publisher?: Choices;
  license?: Choices;
  freshness?: Choices;
  size?: Choices;
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

/** The sort orders that can be requested by name. */
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
const FACET_NAMES: ReadonlySet<string> = new Set(FACETS.map(({ name }) => name));

/** The state as query parameters, for the page and for the API alike; absent or empty values are left out. */
export const directoryParams = (state: DirectoryState): URLSearchParams =>
  new URLSearchParams(
    NAMES.flatMap((name) => [state[name] ?? []].flat().flatMap((value) => (value === "" ? [] : [[name, value]]))),
  );

/** The state with one value of a facet added, or removed if it was chosen, on the first page of its results. */
export function toggled(state: DirectoryState, name: FacetName, value: string): DirectoryState {
  const chosen = state[name] ?? [];
  const others = chosen.filter((other) => other !== value);
  const next = others.length < chosen.length ? others : [...chosen, value].sort();
  return { ...state, [name]: next.length > 0 ? next : undefined, cursor: undefined };
}

/** The directory's URL in this state. */
export function directoryUrl(state: DirectoryState): string {
  const text = directoryParams(state).toString();
  return text ? `/datasets?${text}` : "/datasets";
}

/**
 * Parses the state from a URL. A repeated parameter counts once unless it is a facet; unknown values are ignored, and
 * control characters are dropped.
 */
export function readDirectoryState(params: Readonly<Record<string, string | string[] | undefined>>): DirectoryState {
  return Object.fromEntries(
    NAMES.flatMap((name): [string, string | readonly string[]][] => {
      const values = [params[name] ?? []].flat().flatMap((value) => readValue(name, value));
      if (values[0] === undefined) return [];
      if (!FACET_NAMES.has(name)) return [[name, values[0]]];
      return [[name, [...new Set(values)].slice(0, FACET_VALUES_MAX).sort()]];
    }),
  );
}

/** A URL's parameters in the form that `readDirectoryState` takes. */
export const paramsOf = (params: URLSearchParams): Record<string, string[]> =>
  Object.fromEntries([...params.keys()].map((name) => [name, params.getAll(name)]));

function readValue(name: keyof DirectoryState, value: string): string[] {
  const text = value.replaceAll(/\p{Cc}/gu, "").trim();
  if (!text) return [];
  const allowed = VALUES[name];
  if (typeof allowed === "number") return [text.slice(0, allowed)];
  return allowed.includes(text) ? [text] : [];
}
