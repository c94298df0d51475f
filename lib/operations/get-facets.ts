import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import { catalogueFilter, catalogueQuery } from "@/lib/operations/reading/catalogue-query";
import { type Facets, facetsSchema, SIZES } from "@/lib/schemas/facets";
import { countFacets, type FacetCount } from "@/lib/store/catalogue/facets";
import type { SearchTerm } from "@/lib/store/catalogue/postings";
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
    const { total, facets, terms, similar } = await countFacets(
      { ...catalogueFilter(query), reader: readerOf(ctx) },
      ctx.now(),
    );
    return {
      schema_version: "service-public-facets.v1",
      total,
      words: await presentTerms(terms, similar),
      suggestion: await suggestionOf(terms, similar),
      facets: { ...facets, size: bySize(facets.size) },
    };
  },
});

type Similar = readonly SimilarWords[];

/** Each word once: a compound is several terms. */
async function presentTerms(terms: readonly SearchTerm[], similar: Similar): Promise<Facets["words"]> {
  return await Promise.all(
    [...Map.groupBy(terms, ({ word }) => word)].map(async ([word, parts]) => {
      const readings = parts.flatMap((part) => part.readings);
      const isWhole = parts.length === 1 && readings[0]?.kind === "whole";
      const forms = isWhole ? (await Promise.all(similar.map((words) => words.forms(word)))).flat() : [];
      const found = parts.length > 1 ? "similar" : (readings[0]?.kind ?? "none");
      return { word, found, read_as: [...new Set([...readings.map((reading) => reading.word), ...forms])] };
    }),
  );
}

/** The spelling-corrected query; null if every word occurs in the catalogue, or if nothing is similar. */
async function suggestionOf(terms: readonly SearchTerm[], similar: Similar): Promise<string | null> {
  const words = [...Map.groupBy(terms, ({ word }) => word)];
  const meant = await Promise.all(
    words.map(async ([word, parts]) => {
      const [first, ...more] = parts.map(({ readings }) => readings[0]);
      if (first && more.length > 0) return [first, ...more].map((part) => part?.word).join(" ");
      if (first?.kind === "whole") return word; // itself, or another word for the same
      if (first) return first.word;
      const suggestions = await Promise.all(similar.map((own) => own.suggestion(word)));
      return suggestions.find((suggestion) => suggestion !== undefined) ?? word;
    }),
  );
  return meant.some((word, at) => word !== words[at]?.[0]) ? meant.join(" ") : null;
}

const bySize = (counts: readonly FacetCount[]): FacetCount[] =>
  SIZES.flatMap((size) => counts.filter(({ value }) => value === size));
