import { z } from "zod";
import type { Catalogue } from "@/lib/schemas/dataset";
import { catalogueSchema } from "@/lib/schemas/dataset";
import { type CatalogueSort, findDatasetIds, findDatasets } from "@/lib/store/catalogue";
import { readCatalogueCursor, writeCatalogueCursor } from "./catalogue-cursor";
import { operation } from "./operation";
import { presentDataset } from "./present-dataset";

const WORDS_MAX = 8;

/** PostgreSQL's texts hold no NUL. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\0"), "Send no NUL character");

const querySchema = z.strictObject({
  q: z
    .string()
    .max(200)
    .optional()
    .describe(
      "Search text: title, slug, summary, description, publisher, topics, table and column names and descriptions; stems, prefixes and small typing errors are found.",
    ),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe("Datasets a page."),
  cursor: z.string().max(2000).optional().describe("next_cursor of the page before, with the same search."),
  topic: text(60).optional().describe("Only datasets with this topic."),
  publisher: text(80).optional().describe("Only datasets of the publisher with this slug."),
  license: text(200).optional().describe("Only datasets under this licence."),
  sort: z.enum(["relevance", "published", "title"]).optional().describe("Default: relevance with q, published (newest first) without."),
});

/** GET the catalogue: public datasets, searched, filtered and paged. */
export const searchDatasets = operation({
  name: "search_datasets",
  summary: "Search the catalogue",
  description: "Lists public datasets, most recently published first, or those that match a search text, best match first.",
  access: "open",
  allowance: "catalogue",
  http: { method: "GET", path: "/api/v2/public/datasets" },
  input: { path: z.strictObject({}), query: querySchema },
  output: catalogueSchema,
  errors: ["invalid_request", "invalid_limit", "invalid_cursor", "rate_limited"],
  locate: async () => undefined,
  async run({ query }, _located, ctx): Promise<Catalogue> {
    const words = searchWords(query.q ?? "");
    const sort: CatalogueSort = query.sort ?? (words.length > 0 ? "relevance" : "published");
    const listing = JSON.stringify([words, query.topic, query.publisher, query.license, sort]);
    const after = query.cursor ? readCatalogueCursor(query.cursor, listing) : undefined;
    const { total, positions } = await findDatasetIds({ ...query, words, sort, limit: query.limit + 1, after });
    const page = positions.slice(0, query.limit);
    const last = page.at(-1);
    const records = await findDatasets(page.map(({ id }) => id));
    const matched = new Map(page.map(({ id, matchedOn }) => [id, matchedOn as NonNullable<Catalogue["datasets"][number]["matched_on"]>]));
    return {
      schema_version: "service-public-catalogue.v1",
      total,
      datasets: records.map((record) => ({
        ...presentDataset(record, ctx.baseUrl),
        ...(words.length > 0 ? { matched_on: matched.get(record.id) ?? [] } : {}),
      })),
      next_cursor: last && positions.length > query.limit ? writeCatalogueCursor(last, listing) : null,
    };
  },
});

/** The words of a search text: letters and digits of any script, lower case, each once, at most eight. */
export function searchWords(text: string): string[] {
  const words =
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...new Set(words)].slice(0, WORDS_MAX);
}
