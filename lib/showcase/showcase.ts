import type { ColumnNote, PublishRequest } from "@/lib/schemas/publish";

/** One real upstream release of a table. */
export interface ShowcaseVersion {
  /** The version of the npm package that carries it. */
  label: string;
  /** When upstream released it: its own date where it states one, else the registry's. */
  publishedAt: Date;
  /** Columns that upstream did not have yet in this release. */
  absentColumns?: readonly string[];
  /** The path of a file that can be published: the package's own, or one written into `workDir`. */
  prepare(workDir: string): Promise<string>;
}

/** A table of a showcase dataset; its position is its place in the list. */
export interface ShowcaseTable {
  slug: string;
  name: string;
  description: string;
  /** One note for every column, in the file's order. */
  columns: readonly ColumnNote[];
  orderBy: readonly string[];
  /** Columns that tell every row from all others, in every version; absent where there are none. */
  primaryKey?: readonly string[];
  /** Oldest first. */
  versions: readonly ShowcaseVersion[];
}

type Text = "title" | "summary" | "description" | "license" | "topics";
type Texts = { [K in Text]: NonNullable<PublishRequest["dataset"][K]> };

/** Everything is said of a showcase dataset. */
export type ShowcaseDataset = Omit<PublishRequest["dataset"], Text | "publisher"> &
  Texts & { publisher: { name: string; url?: string } };

/** A real dataset that arrives with an npm package. */
export interface Showcase {
  dataset: ShowcaseDataset;
  tables: readonly ShowcaseTable[];
}

/** What is published for one version of a table, but for the file. */
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
    publishedAt: version.publishedAt,
  };
}
