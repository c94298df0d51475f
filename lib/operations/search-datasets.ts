import { z } from "zod";
import { presentDataset } from "@/lib/describe/present-dataset";
import { freshnessOf } from "@/lib/operations/freshness/verdicts";
import { readCatalogueCursor, writeCatalogueCursor } from "@/lib/operations/reading/catalogue-cursor";
import { catalogueFilter, catalogueQuery, listingOf } from "@/lib/operations/reading/catalogue-query";
import type { Catalogue } from "@/lib/schemas/dataset";
import { catalogueSchema } from "@/lib/schemas/dataset";
import {
  type CataloguePosition,
  type CatalogueSort,
  findDatasetIds,
  findDatasets,
} from "@/lib/store/catalogue/catalogue";
import { findMatchedColumns } from "@/lib/store/catalogue/matched-columns";
import type { PublicCatalogue } from "@/lib/store/catalogue/public-catalogue";
import type { SearchTerm } from "@/lib/store/catalogue/search-terms";
import { generation } from "@/lib/store/postgres/generation";
import { operation } from "./operation";
import { searchDatasetsTool, searchTool } from "./views/search-tools";

type Entry = Catalogue["datasets"][number];
type Matches = Pick<Entry, "matched_on" | "matched_columns">;

const querySchema = z.strictObject({
  ...catalogueQuery,
  limit: z.coerce.number().int().min(1).max(100).default(20).describe("Datasets per page."),
  cursor: z.string().max(2000).optional().describe("next_cursor from the previous page, with the same search."),
  sort: z
    .enum(["relevance", "published", "title"])
    .optional()
    .describe("Default: relevance with q, otherwise published (newest first)."),
});

/** GET the catalogue: public datasets, searched, filtered and paginated. */
export const searchDatasets = operation({
  name: "search_datasets",
  summary: "Search the catalogue",
  description:
    "Lists public datasets, most recently published first. With a search text, lists the matching datasets, best " +
    "match first.",
  access: "open",
  quota: "catalogue",
  http: { method: "GET", path: "/api/v2/public/datasets" },
  input: { query: querySchema },
  output: catalogueSchema,
  errors: ["invalid_limit", "invalid_cursor"],
  async run({ query }, ctx): Promise<Catalogue> {
    const filter = catalogueFilter(query);
    const sort: CatalogueSort = query.sort ?? (filter.words ? "relevance" : "published");
    const listing = listingOf(filter, sort);
    const after = query.cursor ? readCatalogueCursor(query.cursor, listing) : undefined;
    const [under, { total, positions, terms, catalogue }] = await Promise.all([
      generation(),
      findDatasetIds({ ...filter, sort, limit: query.limit + 1, after }, ctx.now()),
    ]);
    const page = positions.slice(0, query.limit);
    const last = page.at(-1);
    const ids = page.map(({ id }) => id);
    const [records, freshness, matches] = await Promise.all([
      findDatasets(ids, under),
      freshnessOf(ids, ctx.now(), "listed", { under }),
      filter.words ? matchesOf(page, terms, catalogue) : undefined,
    ]);
    return {
      schema_version: "service-public-catalogue.v1",
      total,
      datasets: records.map((record) => ({
        ...presentDataset(record, ctx.baseUrl, freshness(record.id).verdict),
        ...matches?.get(record.id),
      })),
      next_cursor: last && positions.length > query.limit ? writeCatalogueCursor(last, listing) : null,
    };
  },
  mcp: [searchTool, searchDatasetsTool],
});

/** Where the words were found in each dataset of a page. */
async function matchesOf(
  page: readonly CataloguePosition[],
  terms: readonly SearchTerm[],
  catalogue: PublicCatalogue,
): Promise<Map<string, Matches>> {
  const byColumns = page.filter(({ matchedOn }) => matchedOn.includes("columns")).map(({ id }) => id);
  const columns = await findMatchedColumns(byColumns, terms, catalogue);
  return new Map(
    page.map(({ id, matchedOn }) => {
      const names = columns.get(id);
      return [id, { matched_on: matchedOn as Entry["matched_on"], ...(names && { matched_columns: [...names] }) }];
    }),
  );
}
