import type { ColumnNote, PublishRequest } from "@/lib/schemas/publish";

/** One real upstream release of a table. */
export interface ShowcaseVersion {
  /** The version of the npm package that contains it, used as the version's label. */
  label: string;
  /** Upstream's release date if it states one, otherwise the registry's. */
  publishedAt: Date;
  /** The name that its package is installed under. */
  folder: string;
  /** Columns that upstream had not yet introduced in this release. */
  absentColumns: readonly string[];
  /** Path of the file to publish: the package's own, or one written to `workDir`. */
  prepare(workDir: string): Promise<string>;
}

/** A table of a showcase dataset; its position is its index in the list. */
export interface ShowcaseTable {
  slug: string;
  name: string;
  description: string;
  /** One note per column, in the file's order. */
  columns: readonly ColumnNote[];
  /** Columns to sort by; empty for the file's order. */
  orderBy: readonly string[];
  /** Columns that identify each row in every version; empty if there are none. */
  primaryKey: readonly string[];
  /** Oldest first. */
  versions: readonly ShowcaseVersion[];
}

type Text = "title" | "summary" | "description" | "license" | "topics";
type Texts = { [K in Text]: NonNullable<PublishRequest["dataset"][K]> };

/** A showcase dataset has all metadata. */
export type ShowcaseDataset = Omit<PublishRequest["dataset"], Text | "publisher"> &
  Texts & { publisher: { name: string; url?: string } };

/** A real dataset from an npm package. */
export interface Showcase {
  dataset: ShowcaseDataset;
  tables: readonly ShowcaseTable[];
  /** The text of the recipe that builds it; absent if its prepared files are published. */
  recipe?: string;
}

/** The publication request for one version of a table, without the file. */
export function publishRequestOf(
  showcase: Showcase,
  table: ShowcaseTable,
  version: ShowcaseVersion,
): Omit<PublishRequest, "file"> {
  const { slug, name, description } = table;
  return {
    dataset: showcase.dataset,
    table: { slug, name, description, position: showcase.tables.indexOf(table) },
    columns: table.columns.filter((column) => !version.absentColumns.includes(column.name)),
    orderBy: [...table.orderBy],
    primaryKey: [...table.primaryKey],
    label: version.label,
    publishedAt: version.publishedAt,
  };
}

/** One version of a dataset that a recipe builds from an installed package. */
export interface ReplayedVersion {
  dataset: Showcase["dataset"];
  /** The text of a `service-recipe.v1` document. */
  document: string;
  label: string;
  publishedAt: Date;
  /** The name that its package is installed under. */
  folder: string;
}

/** What is built from a release; undefined if the dataset has no recipe. */
export function replayedVersion(
  { dataset, recipe }: Showcase,
  { label, publishedAt, folder }: ShowcaseVersion,
): ReplayedVersion | undefined {
  return recipe === undefined ? undefined : { dataset, document: recipe, label, publishedAt, folder };
}
