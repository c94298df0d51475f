import { freshnessAt } from "./freshness";
import { readSearchTerms, type SearchTerm, WHOLE_WORD, WORD_PREFIX } from "./search-terms";

export interface CatalogueFilter {
  /** Search words, folded. Undefined: no search. Empty: the search text contains no word, and nothing matches. */
  words: readonly string[] | undefined;
  /** Of each facet a dataset has at least one of the values. */
  topic?: readonly string[] | undefined;
  /** The publishers' slugs. */
  publisher?: readonly string[] | undefined;
  license?: readonly string[] | undefined;
  freshness?: readonly string[] | undefined;
  size?: readonly string[] | undefined;
}

/**
 * The facets, each with the parameter of MATCHING that holds its choices and the condition on a dataset `m` that the
 * choices imply.
 */
export const FACET_CONDITIONS = {
  topic: `($6::text[] IS NULL OR m.topics && $6)`,
  publisher: `($7::text[] IS NULL OR m."publisherSlug" = ANY ($7))`,
  license: `($8::text[] IS NULL OR m.license = ANY ($8))`,
  freshness: `($9::text[] IS NULL OR m.freshness = ANY ($9))`,
  size: `($10::text[] IS NULL OR m.size = ANY ($10))`,
} as const;

export type FacetName = keyof typeof FACET_CONDITIONS;

const NOWHERE = { word: "", kind: "whole", quality: 0 } as const;

/** Values of the first eleven parameters of MATCHING, and how the words were read. */
export async function matchingValues(
  filter: CatalogueFilter,
  now: Date,
): Promise<{ values: unknown[]; terms: SearchTerm[] }> {
  const terms = await readSearchTerms(filter.words ?? []);
  // a word that is nowhere has one reading that finds nothing, so that it counts as asked
  const readings = terms.flatMap((term, at) =>
    (term.readings.length > 0 ? term.readings : [NOWHERE]).map((reading) => ({ at, ...reading })),
  );
  const { topic, publisher, license, freshness, size } = filter;
  const values = [
    readings.map(({ at }) => at),
    readings.map(({ word }) => word),
    readings.map(({ kind }) => kind),
    readings.map(({ quality }) => quality),
    filter.words !== undefined,
    ...[topic, publisher, license, freshness, size].map((value) => value ?? null),
    now,
  ];
  return { values, terms };
}

const WEIGHTS = {
  title: 60,
  slug: 40,
  summary: 25,
  topics: 16,
  publisher: 16,
  license: 16,
  tables: 10,
  columns: 9,
  values: 7,
  description: 5,
} as const;
const WEIGHT = `CASE s.part ${Object.entries(WEIGHTS)
  .map(([part, weight]) => `WHEN '${part}' THEN ${weight}`)
  .join(" ")} END`;

const SIZE =
  "CASE WHEN d.rows < 1000 THEN 'under-1k' WHEN d.rows < 10000 THEN '1k-10k' WHEN d.rows < 100000 THEN " +
  "'10k-100k' WHEN d.rows < 1000000 THEN '100k-1m' ELSE 'over-1m' END";

/** Where a word says what a dataset is about; elsewhere it may be there by chance. */
const TELLING = "('title', 'slug', 'summary', 'topics', 'tables')";

/**
 * Common table expressions up to `matching`: the public datasets that a search finds, with the columns that facets and
 * orders need.
 * Each word counts where it weighs most, plus a little for every other occurrence; rare words count more than common
 * ones. Datasets with every word; if none has them all, those that lack at most one word more than the best. A
 * dataset with one word of two must have it where it says what it is about, and one word of three is noise.
 */
export const MATCHING = `WITH readings AS (
  SELECT at, word, quality, CASE kind WHEN 'prefix' THEN ${WORD_PREFIX} ELSE ${WHOLE_WORD} END AS query
  FROM unnest($1::int[], $2::text[], $3::text[], $4::int[]) AS r(at, word, kind, quality)
), hits AS (
  SELECT s."datasetId", r.at, s.part, max(${WEIGHT} * r.quality) AS score
  FROM readings r JOIN "SearchText" s ON s.words @@ r.query JOIN "Dataset" d ON d.id = s."datasetId"
  WHERE d.visibility = 'public' AND d."publishedAt" IS NOT NULL GROUP BY 1, 2, 3
), best AS (
  SELECT "datasetId", at, max(score) * 20 + sum(score) AS score, bool_or(part IN ${TELLING}) AS telling
  FROM hits GROUP BY 1, 2
), asked AS (
  SELECT count(DISTINCT at) AS words, count(DISTINCT at) FILTER (WHERE word <> '') AS known FROM readings
), found AS (
  SELECT "datasetId", sum(score)::int AS score, count(*) AS words FROM best GROUP BY 1
  HAVING count(*) > 1 OR (SELECT words FROM asked) = 1 OR ((SELECT words FROM asked) = 2 AND bool_or(telling))
), enough AS (
  SELECT CASE WHEN max(words) = (SELECT known FROM asked) THEN max(words) ELSE greatest(max(words) -
    1, 1) END AS words FROM found
), matching AS (
  SELECT d.id, d."publishedAt", lower(d.title) AS "sortTitle", COALESCE(f.score, 0) AS score,
    d.topics, d.license, p.slug AS "publisherSlug", p.name AS "publisherName",
    ${freshnessAt("$11::timestamptz")} AS freshness,
    ${SIZE} AS size
  FROM "Dataset" d JOIN "Publisher" p ON p.id = d."publisherId" LEFT JOIN found f ON f."datasetId" = d.id
  WHERE d.visibility = 'public' AND d."publishedAt" IS NOT NULL AND (NOT $5::boolean OR f.words >= (SELECT words FROM
    enough))
)`;
