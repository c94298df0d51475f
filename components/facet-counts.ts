import type { DatasetEntry } from "@/lib/schemas/dataset";
import type { DirectoryState } from "./directory-url";

export type FacetName = "topic" | "publisher" | "license";

export interface FacetValue {
  value: string;
  label: string;
  count: number;
}

type Facetable = Pick<DatasetEntry, "topics" | "publisher" | "license">;

const VALUES: Record<FacetName, (entry: Facetable) => { value: string; label: string }[]> = {
  topic: (entry) => entry.topics.map((topic) => ({ value: topic, label: topic })),
  publisher: (entry) => [{ value: entry.publisher.slug, label: entry.publisher.name }],
  license: (entry) => [{ value: entry.license, label: entry.license }],
};
const NAMES = ["topic", "publisher", "license"] as const;

/** The values of one facet with how many entries each would leave, the other facets kept; most first. */
export function facetCounts(entries: readonly Facetable[], name: FacetName, state: DirectoryState): FacetValue[] {
  const others = NAMES.filter((other) => other !== name);
  const counts = new Map<string, FacetValue>();
  for (const entry of entries) {
    if (!others.every((other) => matches(entry, other, state[other]))) continue;
    for (const { value, label } of VALUES[name](entry)) {
      const known = counts.get(value) ?? { value, label, count: 0 };
      counts.set(value, { ...known, count: known.count + 1 });
    }
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || a.label.localeCompare(b.label, "en"));
}

const matches = (entry: Facetable, name: FacetName, wanted: string | undefined): boolean =>
  !wanted || VALUES[name](entry).some(({ value }) => value === wanted);
