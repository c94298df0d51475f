import { type CatalogueFilter, FACET_CONDITIONS, type FacetName, MATCHING, matchingValues } from "./catalogue-matching";
import { database } from "./database";
import type { SearchTerm } from "./search-terms";

export interface FacetCount {
  value: string;
  label: string;
  count: number;
}

const VALUES_MAX = 100;

const VALUES: Record<FacetName, { from: string; value: string; label: string }> = {
  topic: { from: "matching m CROSS JOIN LATERAL unnest(m.topics) AS topic", value: "topic", label: "topic" },
  publisher: { from: "matching m", value: `m."publisherSlug"`, label: `m."publisherName"` },
  license: { from: "matching m", value: "m.license", label: "m.license" },
  freshness: { from: "matching m", value: "m.freshness", label: "m.freshness" },
  size: { from: "matching m", value: "m.size", label: "m.size" },
};
const NAMES = Object.keys(VALUES) as FacetName[];

/**
 * How many datasets each choice would leave alone: other facets' choices apply, the facet's own do not, so that its
 * alternatives remain visible.
 */
export async function countFacets(
  filter: CatalogueFilter,
  now: Date,
): Promise<{ total: number; facets: Record<FacetName, FacetCount[]>; terms: SearchTerm[] }> {
  const { pool } = await database();
  const { values, terms } = await matchingValues(filter, now);
  const { rows } = await pool.query<FacetCount & { facet: FacetName | "all" }>(
    `${MATCHING} SELECT 'all' AS facet, '' AS value, '' AS label, count(*)::int AS count FROM matching m WHERE
      ${conditions()}
     UNION ALL ${NAMES.map((name) => `(${countsOf(name)})`).join(" UNION ALL ")}`,
    values,
  );
  const facets = Object.fromEntries(
    NAMES.map((name) => [name, rows.filter(({ facet }) => facet === name).map(({ facet: _, ...count }) => count)]),
  );
  return { total: rows[0]?.count ?? 0, facets: facets as Record<FacetName, FacetCount[]>, terms };
}

const conditions = (left?: FacetName): string =>
  NAMES.filter((name) => name !== left)
    .map((name) => FACET_CONDITIONS[name])
    .join(" AND ");

function countsOf(name: FacetName): string {
  const { from, value, label } = VALUES[name];
  return `SELECT '${name}' AS facet, ${value} AS value, min(${label}) AS label, count(*)::int AS count FROM ${from}
    WHERE ${conditions(name)}
    GROUP BY ${value} ORDER BY count(*) DESC, min(${label}) LIMIT ${VALUES_MAX}`;
}
