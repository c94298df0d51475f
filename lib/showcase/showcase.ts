import type { ColumnNote, PublishRequest } from "@/lib/schemas/publish";
import type { ShowcaseRecipe } from "./recipe";

/** One real upstream release of a table. */
export interface ShowcaseVersion {
  /** The version of the npm package that contains it, used as the version's label. */
  label: string;
  /** Upstream's release date if it states one, otherwise the registry's. */
  publishedAt: Date;
  /** Columns that upstream had not yet introduced in this release. */
  absentColumns?: readonly string[];
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
  orderBy: readonly string[];
  /** Columns that identify each row in every version; absent if there are none. */
  primaryKey?: readonly string[];
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
  /** How it is built; absent if its prepared files are published. */
  recipe?: ShowcaseRecipe;
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
    columns: table.columns.filter((column) => !version.absentColumns?.includes(column.name)),
    orderBy: [...table.orderBy],
    primaryKey: [...(table.primaryKey ?? [])],
    label: version.label,
    publishedAt: version.publishedAt,
  };
}
