import { z } from "zod";
import { FACET_VALUES_MAX } from "@/lib/schemas/facet-values";
import { SIZES } from "@/lib/schemas/facets";
import { freshnessSchema } from "@/lib/schemas/freshness-report";
import { searchWords } from "@/lib/schemas/search-words";
import type { CatalogueFilter } from "@/lib/store/catalogue/catalogue-matching";

/** PostgreSQL text cannot contain NUL. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\0"), "Send no NUL character");

/** Values of one facet. Over HTTP the parameter is repeated. */
const several = <T extends z.ZodType<string>>(value: T) =>
  z.array(value).min(1).max(FACET_VALUES_MAX, `At most ${FACET_VALUES_MAX} values`);

const ANY = "Repeat the parameter for datasets with any of several.";

/** The filters of the catalogue: parameters that its listing and its facets share. */
export const catalogueQuery = {
  q: z
    .string()
    .max(200)
    .optional()
    .describe(
      "Search text; only the first 8 words are used. Searches title, slug, summary, description, publisher, " +
        "topics, licence, names and descriptions of tables and columns, and values of text columns. Stems, prefixes, " +
        "compounds, small typos, synonyms and common German, Spanish and French words match. Returns datasets that " +
        "match every word, or if there are none, those that match the most words; if too few of the words match, " +
        "only `nearest`. Text without a letter or digit matches nothing.",
    ),
  topic: several(text(60)).optional().describe(`Only datasets with this topic. ${ANY}`),
  publisher: several(text(80)).optional().describe(`Only datasets by the publisher with this slug. ${ANY}`),
  license: several(text(200)).optional().describe(`Only datasets under this licence. ${ANY}`),
  freshness: several(freshnessSchema.shape.state).optional().describe(`Only datasets in this freshness state. ${ANY}`),
  size: several(z.enum(SIZES)).optional().describe(`Only datasets with this total number of rows. ${ANY}`),
};

type CatalogueQuery = { q?: string | undefined } & Omit<CatalogueFilter, "words" | "reader">;

/** The stored form of a request's filters, the same in whatever order a facet's values were sent. */
export const catalogueFilter = ({
  q,
  topic,
  publisher,
  license,
  freshness,
  size,
}: CatalogueQuery): CatalogueFilter => ({
  words: searchWords(q),
  topic: inOrder(topic),
  publisher: inOrder(publisher),
  license: inOrder(license),
  freshness: inOrder(freshness),
  size: inOrder(size),
});

const inOrder = (values: readonly string[] | undefined) => values && [...new Set(values)].sort();

/**
 * The listing that a cursor belongs to. A facet's only value is written as is, as before a facet could have several, so
 * that older cursors remain valid.
 */
export const listingOf = ({ words, reader: _, ...facets }: CatalogueFilter, sort: string): string =>
  JSON.stringify([{ words, ...mapValues(facets, (values) => (values?.length === 1 ? values[0] : values)) }, sort]);

const mapValues = <V, W>(record: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
