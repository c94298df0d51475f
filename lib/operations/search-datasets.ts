import { z } from "zod";
import { readerOf } from "@/lib/access/actor";
import type { Context } from "@/lib/access/context";
import { presentDataset } from "@/lib/describe/present-dataset";
import { freshnessOf } from "@/lib/operations/freshness/verdicts";
import { readCatalogueCursor, writeCatalogueCursor } from "@/lib/operations/reading/catalogue-cursor";
import { catalogueFilter, catalogueQuery, listingOf } from "@/lib/operations/reading/catalogue-query";
import { presentMatches } from "@/lib/operations/reading/present-matches";
import type { Catalogue } from "@/lib/schemas/dataset";
import { catalogueSchema } from "@/lib/schemas/dataset";
import { workspacePathSchema } from "@/lib/schemas/workspace";
import {
  type CataloguePosition,
  type CatalogueSort,
  type FoundDatasets,
  findDatasetIds,
  findDatasets,
} from "@/lib/store/catalogue/catalogue";
import { findMatchDetails } from "@/lib/store/catalogue/match-details";
import { generation } from "@/lib/store/postgres/generation";
import { operation } from "./operation";
import { searchDatasetsTool, searchTool } from "./views/search-tools";

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
  run: ({ query }, ctx): Promise<Catalogue> => searchCatalogue(query, {}, ctx),
  mcp: [searchTool, searchDatasetsTool],
});

/** GET the private datasets of a workspace, searched like the catalogue. */
export const searchPrivateDatasets = operation({
  name: "search_private_datasets",
  summary: "Search a workspace's private datasets",
  description:
    "Lists the private datasets of the workspace that have been published to its members, with the parameters and in " +
    "the form of the catalogue.",
  access: "member",
  quota: "account",
  http: { method: "GET", path: "/api/account/workspaces/{workspace_id}/private-datasets" },
  input: { path: workspacePathSchema, query: querySchema },
  output: catalogueSchema,
  errors: ["invalid_limit", "invalid_cursor"],
  run: ({ query }, ctx): Promise<Catalogue> => searchCatalogue(query, { isOwnOnly: true }, ctx),
});

type Query = z.output<typeof querySchema>;

async function searchCatalogue(query: Query, only: { isOwnOnly?: true }, ctx: Context): Promise<Catalogue> {
  const filter = { ...catalogueFilter(query), reader: readerOf(ctx) };
  const sort: CatalogueSort = query.sort ?? (filter.words ? "relevance" : "published");
  const listing = listingOf(filter, sort);
  const after = query.cursor ? readCatalogueCursor(query.cursor, listing) : undefined;
  const [under, found] = await Promise.all([
    generation(),
    findDatasetIds({ ...filter, ...only, sort, limit: query.limit + 1, after }, ctx.now()),
  ]);
  const page = found.positions.slice(0, query.limit);
  const last = page.at(-1);
  const isSearch = filter.words !== undefined;
  const [datasets, nearest] = await Promise.all([
    presentAll(page, found, { isSearch, under }, ctx),
    presentAll(found.nearest, found, { isSearch, under }, ctx),
  ]);
  return {
    schema_version: "service-public-catalogue.v1",
    total: found.total,
    datasets,
    ...(nearest.length > 0 && { nearest }),
    next_cursor: last && found.positions.length > query.limit ? writeCatalogueCursor(last, listing) : null,
  };
}

/** The entries of some datasets, with where the words were found in each. */
async function presentAll(
  positions: readonly CataloguePosition[],
  { terms, catalogue }: FoundDatasets,
  { isSearch, under }: { isSearch: boolean; under: string },
  ctx: Context,
): Promise<Catalogue["datasets"]> {
  const ids = positions.map(({ id }) => id);
  const [records, freshness, details] = await Promise.all([
    findDatasets(ids, under),
    freshnessOf(ids, ctx.now(), "listed", { under }),
    isSearch ? findMatchDetails(positions, terms, catalogue) : undefined,
  ]);
  const byId = new Map(positions.map((position) => [position.id, position]));
  return records.map((record) => {
    const position = byId.get(record.id);
    return {
      ...presentDataset(record, ctx.baseUrl, freshness(record.id).verdict),
      ...(isSearch && position && presentMatches(position, terms, details?.get(record.id))),
    };
  });
}
