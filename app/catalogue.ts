import "server-only";
import { cache } from "react";
import type { Context } from "@/lib/access/context";
import { takeQuery } from "@/lib/access/quotas";
import { Failure } from "@/lib/kernel/errors";
import { compareVersions } from "@/lib/operations/compare-versions";
import { execute } from "@/lib/operations/execute";
import { getDataset } from "@/lib/operations/get-dataset";
import { getFacets } from "@/lib/operations/get-facets";
import { getSchema } from "@/lib/operations/get-schema";
import { getVersion } from "@/lib/operations/get-version";
import { listVersions } from "@/lib/operations/list-versions";
import { previewTable } from "@/lib/operations/preview-table";
import { searchDatasets } from "@/lib/operations/search-datasets";
import type { Comparison } from "@/lib/schemas/comparison";
import type { Catalogue, Dataset } from "@/lib/schemas/dataset";
import type { Facets } from "@/lib/schemas/facets";
import type { Preview, TableSchema, Version, Versions } from "@/lib/schemas/table";
import { pageContext } from "./context";

type Search = Partial<Parameters<typeof searchDatasets.run>[0]["query"]>;

/** A page of the catalogue. */
export const findDatasets = (query: Search, ctx: Context): Promise<Catalogue> =>
  execute(searchDatasets, { query: { limit: 20, ...query } }, ctx);

/** How many datasets each choice of the directory would leave. */
export const readFacets = (query: Parameters<typeof getFacets.run>[0]["query"], ctx: Context): Promise<Facets> =>
  execute(getFacets, { query }, ctx);

export const readSchema = (tableId: string, ctx: Context): Promise<TableSchema> =>
  execute(getSchema, { path: { table_id: tableId } }, ctx);

export const readPreview = (tableId: string, limit: number, ctx: Context): Promise<Preview> =>
  execute(previewTable, { path: { table_id: tableId }, query: { limit } }, ctx);

export const readVersions = (tableId: string, ctx: Context): Promise<Versions> =>
  execute(listVersions, { path: { table_id: tableId } }, ctx);

/** The dataset, once a request however often a page and its metadata ask; undefined where the API answers not_found. */
export const readDataset = cache(async (slug: string): Promise<Dataset | undefined> => {
  try {
    return await execute(getDataset, { path: { slug } }, pageContext());
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return undefined;
    throw error;
  }
});

/** A comparison, or why there is none in words for people. */
export type Compared = { comparison: Comparison } | { message: string; status: number };

/** How two versions of a table differ. What the API refuses is told, not thrown: the page's other parts stand. */
export async function readComparison(
  tableId: string,
  { from, to }: { from: string; to: string },
  ctx: Context,
): Promise<Compared> {
  try {
    await takeQuery(ctx);
    return {
      comparison: await execute(
        compareVersions,
        { path: { table_id: tableId }, query: { from, to, examples: 10 } },
        ctx,
      ),
    };
  } catch (error) {
    if (error instanceof Failure && error.code !== "internal") return { message: error.message, status: error.status };
    throw error;
  }
}

/** One version of a dataset's table, or which of the two ways it is not there. */
export const readVersion = cache(
  async (slug: string, versionId: string): Promise<Version | "not_found" | "version_withdrawn"> => {
    try {
      return await execute(getVersion, { path: { slug, version_id: versionId } }, pageContext());
    } catch (error) {
      if (error instanceof Failure && (error.code === "not_found" || error.code === "version_withdrawn"))
        return error.code;
      throw error;
    }
  },
);
