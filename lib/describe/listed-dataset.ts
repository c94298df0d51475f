import type { Dataset, DatasetEntry } from "@/lib/schemas/dataset";

/** A dataset in a document of the whole catalogue. */
export interface ListedDataset extends DatasetEntry {
  sources: Dataset["sources"];
}

/**
 * Datasets in batches, so that a document of the whole catalogue can be written without holding all of them in memory.
 */
export type Batches = AsyncIterable<readonly ListedDataset[]> | Iterable<readonly ListedDataset[]>;

/** What such a document says about the catalogue as a whole. */
export interface CatalogueFacts {
  base: string;
  /** When a dataset was published last; undefined if there is none. */
  newest: string | undefined;
  /** Whether sources of any dataset are watched. */
  isWatched: boolean;
}
