import { anonymousQuery, datasetCroissant, datasetMetadata, tableRoute } from "@/lib/describe/links";

export type SampleLanguage = "shellscript" | "python" | "javascript" | "r" | "sql";

/**
 * Code in the docs. `e2e/docs.spec.ts` runs each sample that is not marked `unrun` against the service and compares its
 * output with `output`, where `…` stands for what differs between services.
 */
export interface Sample {
  id: string;
  /** What it does. */
  label: string;
  language: SampleLanguage;
  /** Shown on the tab, where several do the same. */
  tab?: string;
  /** Reads a use key from PARQUETRY_KEY. */
  needsKey?: true;
  /** Reads a live key, that of a hosted table, from PARQUETRY_LIVE_KEY. */
  needsLiveKey?: true;
  /**
   * Runs after the samples before it of the same session, in one shell, where `parquetry` and PARQUETRY_TOKEN are
   * defined.
   */
  session?: "command line" | "curl";
  /** Needs software or a network that the tests do not have; the page says so. */
  unrun?: true;
  code(place: SamplePlace): string;
  output?: string;
  /** JSON may be shown with different white space from what is sent. */
  outputIs?: "json" | "lines";
}

/** Where samples run: the service's URL and its tables by the names of their datasets. */
export interface SamplePlace {
  base: string;
  tableIds: ReadonlyMap<string, string>;
  /** Versions of the table that examples read, newest first. */
  versionIds: readonly string[];
  /** The location of the file that the tutorial builds from; if absent, a host that does not exist. */
  source?: string;
}

/** Datasets of the showcase that samples read. */
export const SAMPLE_DATASETS = [
  "mauna-loa-co2",
  "us-flights-2001",
  "palmer-penguins",
  "daily-weather",
  "earthquakes-2018",
  "spdx-licenses",
  "nodejs-releases",
] as const;
export type SampleDataset = (typeof SAMPLE_DATASETS)[number];

/**
 * The table that a test of the connector reads: one of the examples, else the oldest of the listed ones, as the newest
 * may be withdrawn at any moment. Undefined in an empty catalogue.
 */
export const readTable = ({ tableIds }: Pick<SamplePlace, "tableIds">): string | undefined =>
  SAMPLE_DATASETS.map((slug) => tableIds.get(slug)).find((id) => id !== undefined) ?? [...tableIds.values()].at(-1);

/** A dataset whose table has several versions. */
export const VERSIONED: SampleDataset = "nodejs-releases";

/** Stands for a table that this service does not have. */
export const NO_TABLE = "TABLE_ID";

const tableId = ({ tableIds }: SamplePlace, dataset: SampleDataset): string => tableIds.get(dataset) ?? NO_TABLE;

export const queryAddress = (place: SamplePlace, dataset: SampleDataset) =>
  anonymousQuery(place.base, tableId(place, dataset));
export const profileAddress = (place: SamplePlace, dataset: SampleDataset) =>
  `${place.base}/api/public/tables/${tableId(place, dataset)}/profile`;
export const keyedAddress = (place: SamplePlace, dataset: SampleDataset) =>
  tableRoute(place.base, tableId(place, dataset), "query");
export const currentAddress = (place: SamplePlace, dataset: SampleDataset) =>
  tableRoute(place.base, tableId(place, dataset), "current");
export const tableAddress = (
  place: SamplePlace,
  dataset: SampleDataset,
  route: "schema" | "preview" | "versions" | "changes",
) => tableRoute(place.base, tableId(place, dataset), route);
export const metadataAddress = ({ base }: SamplePlace, dataset: SampleDataset) => datasetMetadata(base, dataset);
export const croissantAddress = ({ base }: SamplePlace, dataset: SampleDataset) => datasetCroissant(base, dataset);
