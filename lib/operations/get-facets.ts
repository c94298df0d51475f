import { z } from "zod";
import { catalogueFilter, catalogueQuery } from "@/lib/operations/reading/catalogue-query";
import { type Facets, facetsSchema, SIZES } from "@/lib/schemas/facets";
import { countFacets, type FacetCount } from "@/lib/store/catalogue/facets";
import type { SearchTerm } from "@/lib/store/catalogue/search-terms";
import type { SimilarWords } from "@/lib/store/catalogue/similar-words";
import { operation } from "./operation";

/** GET how many datasets each choice of a facet would leave, and how a search text was interpreted. */
export const getFacets = operation({
  name: "get_facets",
  summary: "Get catalogue facets",
  description:
    "Counts datasets by topic, publisher, licence, freshness state and size, for the same search and filters as " +
    "the catalogue listing. Each facet's counts ignore its own filter, so that alternatives remain visible. Also " +
    "reports how each search word was interpreted, and corrects misspelt words.",
  access: "open",
  quota: "catalogue",
  http: { method: "GET", path: "/api/v2/public/facets" },
  input: { query: z.strictObject(catalogueQuery) },
  output: facetsSchema,
  async run({ query }, ctx): Promise<Facets> {
    const { total, facets, terms, similar } = await countFacets(catalogueFilter(query), ctx.now());
    return {
      schema_version: "service-public-facets.v1",
      total,
      words: await presentTerms(terms, similar),
      suggestion: await suggestionOf(terms, similar),
      facets: { ...facets, size: bySize(facets.size) },
    };
  },
});

async function presentTerms(terms: readonly SearchTerm[], similar: SimilarWords): Promise<Facets["words"]> {
  return await Promise.all(
    terms.map(async ({ word, readings }) => {
      const forms = readings[0]?.kind === "whole" ? await similar.forms(word) : [];
      const readAs = [...new Set([...readings.map((reading) => reading.word), ...forms])];
      return { word, found: readings[0]?.kind ?? "none", read_as: readAs };
    }),
  );
}

/** The spelling-corrected query; null if every word occurs in the catalogue, or if nothing is similar. */
async function suggestionOf(terms: readonly SearchTerm[], similar: SimilarWords): Promise<string | null> {
  const meant = await Promise.all(
    terms.map(async ({ word, readings }) => {
      const [first] = readings;
      if (first?.kind === "whole") return word; // itself, or another word for the same
      return first ? first.word : ((await similar.suggestion(word)) ?? word);
    }),
  );
  return meant.some((word, at) => word !== terms[at]?.word) ? meant.join(" ") : null;
}

const bySize = (counts: readonly FacetCount[]): FacetCount[] =>
  SIZES.flatMap((size) => counts.filter(({ value }) => value === size));
