import { anonymousQuery, datasetCroissant, datasetMetadata, tableRoute } from "@/lib/describe/links";

export type SampleLanguage = "shellscript" | "python" | "javascript" | "sql";

/**
 * Code that the docs show. `e2e/docs.spec.ts` runs each one that is not marked `unrun` against the service and holds
 * what it prints
 * against `output`, where `…` stands for what differs from service to service.
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
  /** Needs software or a network that the tests do not have: says so on the page. */
  unrun?: true;
  code(place: SamplePlace): string;
  output?: string;
  /** JSON may be shown with other white space than it is sent with. */
  outputIs?: "json" | "lines";
}

/** Where samples run: the service's address and its tables by the names of their datasets. */
export interface SamplePlace {
  base: string;
  tableIds: ReadonlyMap<string, string>;
  /** Of the table that examples of versions read, newest first. */
  versionIds: readonly string[];
}

/** Datasets of the showcase that samples read. */
export const SAMPLE_DATASETS = [
  "mauna-loa-co2",
  "us-flights-2001",
  "palmer-penguins",
  "daily-weather",
  "earthquakes-2018",
  "nodejs-releases",
] as const;
export type SampleDataset = (typeof SAMPLE_DATASETS)[number];

/** A dataset whose table has several versions. */
export const VERSIONED: SampleDataset = "nodejs-releases";

/** What stands for a table that this service does not have. */
export const NO_TABLE = "TABLE_ID";

const tableId = ({ tableIds }: SamplePlace, dataset: SampleDataset): string => tableIds.get(dataset) ?? NO_TABLE;

export const queryAddress = (place: SamplePlace, dataset: SampleDataset) =>
  anonymousQuery(place.base, tableId(place, dataset));
export const keyedAddress = (place: SamplePlace, dataset: SampleDataset) =>
  tableRoute(place.base, tableId(place, dataset), "query");
export const currentAddress = (place: SamplePlace, dataset: SampleDataset) =>
  tableRoute(place.base, tableId(place, dataset), "current");
export const tableAddress = (place: SamplePlace, dataset: SampleDataset, route: "schema" | "preview" | "versions") =>
  tableRoute(place.base, tableId(place, dataset), route);
export const metadataAddress = ({ base }: SamplePlace, dataset: SampleDataset) => datasetMetadata(base, dataset);
export const croissantAddress = ({ base }: SamplePlace, dataset: SampleDataset) => datasetCroissant(base, dataset);
