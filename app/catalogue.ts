import "server-only";
import { cache } from "react";
import type { Owner } from "@/components/dataset/dataset-head";
import type { Context } from "@/lib/access/context";
import { takeMetadataRequest, takeQuery } from "@/lib/access/quotas";
import { Failure } from "@/lib/kernel/errors";
import { pageText } from "@/lib/kernel/page-text";
import { compareVersions } from "@/lib/operations/compare-versions";
import { execute } from "@/lib/operations/execute";
import { getDataset } from "@/lib/operations/get-dataset";
import { getFacets } from "@/lib/operations/get-facets";
import { getLineage } from "@/lib/operations/get-lineage";
import { getReadings } from "@/lib/operations/get-readings";
import { getRow } from "@/lib/operations/get-row";
import { getSchema } from "@/lib/operations/get-schema";
import { getVersion } from "@/lib/operations/get-version";
import { listVersions } from "@/lib/operations/list-versions";
import { previewTable } from "@/lib/operations/preview-table";
import { privateReader } from "@/lib/operations/reading/private-reader";
import { searchDatasets } from "@/lib/operations/search-datasets";
import type { Comparison } from "@/lib/schemas/comparison";
import type { Catalogue, Dataset } from "@/lib/schemas/dataset";
import type { Facets } from "@/lib/schemas/facets";
import type { Lineage } from "@/lib/schemas/lineage";
import type { TableReadings } from "@/lib/schemas/readings";
import type { Preview, TableRow, TableSchema, Version, Versions } from "@/lib/schemas/table";
import { pageContext, payingContext, visitorContext } from "./context";
import { shownToReader } from "./passing";

type Search = Partial<Parameters<typeof searchDatasets.run>[0]["query"]>;

/** A page of the catalogue. */
export const findDatasets = (query: Search, ctx: Context): Promise<Catalogue> =>
  execute(searchDatasets, { query: { limit: 20, ...query } }, ctx);

/** The number of datasets that would remain with each facet value. */
export const readFacets = (query: Parameters<typeof getFacets.run>[0]["query"], ctx: Context): Promise<Facets> =>
  execute(getFacets, { query }, ctx);

export const readSchema = (tableId: string, ctx: Context): Promise<TableSchema> =>
  execute(getSchema, { path: { table_id: tableId } }, ctx);

export const readPreview = (tableId: string, limit: number, ctx: Context): Promise<Preview> =>
  execute(previewTable, { path: { table_id: tableId }, query: { limit } }, ctx);

export const readReadings = (tableId: string, ctx: Context): Promise<TableReadings> =>
  execute(getReadings, { path: { table_id: tableId } }, ctx);

export const readVersions = (tableId: string, ctx: Context): Promise<Versions> =>
  execute(listVersions, { path: { table_id: tableId } }, ctx);

/** A dataset that the visitor may read. */
export interface OpenDataset {
  dataset: Dataset;
  /** With which its pages read: the visitor's address or, for a private dataset, the person in its workspace. */
  ctx: Context;
  /** The workspace whose members alone see it; undefined for a public one. */
  owner: Owner;
}

/**
 * The dataset, looked up once per request however often a page and its metadata need it: a public one, or a private one
 * of a workspace that the signed-in person belongs to, whose page no cache keeps. Undefined if the API replies
 * not_found.
 */
export const openDataset = cache(async (slug: string): Promise<OpenDataset | undefined> => {
  const dataset = await readPublicDataset(slug);
  if (dataset) return { dataset, ctx: await payingContext(), owner: undefined };
  const visitor = await visitorContext();
  const reader = visitor && (await privateReader(slug, visitor));
  if (!reader) return undefined;
  await shownToReader();
  const own = await readDataset(slug, reader.ctx);
  return own && { dataset: own, ...reader };
});

/** The same for pages that are the same for everyone. */
export const readPublicDataset = cache((slug: string) => readDataset(slug, pageContext()));

async function readDataset(slug: string, ctx: Context): Promise<Dataset | undefined> {
  try {
    return await execute(getDataset, { path: { slug } }, ctx);
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return undefined;
    throw error;
  }
}

/** A comparison, or a message for people that says why there is none. */
export type Compared = { comparison: Comparison } | { message: string; status: number };

/**
 * The differences between two versions of a table. An API error is returned, not thrown: the rest of the page remains.
 */
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
    if (error instanceof Failure && error.code !== "internal")
      return { message: pageText(error), status: error.status };
    throw error;
  }
}

/** A row and its table's version, or the reason why there is none. */
export type ReadRow = TableRow | { message: string; status: number };

/** One row of a version; counted against the visitor's IP address, as over the API. */
export const readRow = cache(
  async (tableId: string, position: string, versionId: string | undefined, ctx: Context): Promise<ReadRow> => {
    try {
      await takeMetadataRequest(ctx);
      const query = versionId === undefined ? {} : { version_id: versionId };
      return await execute(getRow, { path: { table_id: tableId, position }, query }, ctx);
    } catch (error) {
      if (error instanceof Failure && error.code !== "internal")
        return { message: pageText(error), status: error.status };
      throw error;
    }
  },
);

/** How a version was built; null for a file that its publisher prepared. */
export const readLineage = async (tableId: string, versionId: string, ctx: Context): Promise<Lineage["built"]> =>
  (await execute(getLineage, { path: { table_id: tableId }, query: { version_id: versionId, recipe: false } }, ctx))
    .built;

/** A version that was withdrawn, and why. */
export interface WithdrawnVersion {
  withdrawn: string;
}

/** A name that no version has, or several have, and which versions exist. */
export interface UnknownVersion {
  unknown: string;
}

/** One version of a dataset's table, or one of the two reasons why it is missing. */
export const readVersion = cache(
  async (slug: string, versionId: string): Promise<Version | WithdrawnVersion | UnknownVersion> => {
    try {
      const { ctx = pageContext() } = (await openDataset(slug)) ?? {};
      return await execute(getVersion, { path: { slug, version_id: versionId } }, ctx);
    } catch (error) {
      if (error instanceof Failure && error.code === "version_withdrawn") return { withdrawn: pageText(error) };
      if (error instanceof Failure && error.status < 500 && error.status !== 429) return { unknown: pageText(error) };
      throw error;
    }
  },
);
