import "server-only";
import { cache } from "react";
import { Failure } from "@/lib/kernel/errors";
import type { Catalogue } from "@/lib/schemas/dataset";
import type { Facets } from "@/lib/schemas/facets";
import { findDatasets, readFacets } from "./catalogue";
import { pageContext } from "./context";

interface Collection {
  catalogue: Catalogue;
  facets: Facets["facets"];
}

/**
 * The public datasets of one topic or publisher; undefined where there are none. A cursor of another list restarts it.
 */
export const readCollection = cache(
  async (facet: "topic" | "publisher", value: string, cursor: string | undefined): Promise<Collection | undefined> => {
    const ctx = pageContext();
    try {
      const [catalogue, { facets }] = await Promise.all([
        findDatasets({ [facet]: [value], ...(cursor !== undefined && { cursor }) }, ctx),
        readFacets({ [facet]: [value] }, ctx),
      ]);
      return catalogue.total > 0 ? { catalogue, facets } : undefined;
    } catch (error) {
      if (cursor !== undefined && error instanceof Failure && error.code === "invalid_cursor")
        return readCollection(facet, value, undefined);
      if (error instanceof Failure && error.status === 400) return undefined;
      throw error;
    }
  },
);
