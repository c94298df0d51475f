import type { Showcase } from "./showcase";

/** How a showcase dataset is built from the packages that it comes with. */
export interface ShowcaseRecipe {
  source: { name: string; title: string; package: string; path: string; reader: object };
  /** The name that a version of the package is installed under. */
  folderOf(label: string): string;
  steps: readonly object[];
  checks: readonly object[];
  refresh: object;
}

/** One version of a dataset that a recipe builds from an installed package. */
export interface ReplayedVersion {
  dataset: Showcase["dataset"];
  /** A `service-recipe.v1` document. */
  document: object;
  label: string;
  publishedAt: Date;
  /** The name that its package is installed under. */
  folder: string;
}

/** The recipe of a showcase dataset of one table, with what the catalogue says of it. */
export function recipeOf({ dataset, tables }: Showcase, { source, steps, checks, refresh }: ShowcaseRecipe): object {
  const { license, topics, publisher, summary, description } = dataset;
  const named = { kind: "package", registry: "npm", version: "latest" };
  const homepage = `https://www.npmjs.com/package/${source.package}`;
  return {
    schema_version: "service-recipe.v1",
    sources: [{ ...named, ...source, homepage, license }],
    tables: tables.map(({ slug, name, description, columns, orderBy, primaryKey = [] }) => ({
      ...{ name: slug, slug, title: name, description, from: source.name, steps, columns, checks },
      ...{ primary_key: primaryKey, order_by: orderBy, only: true },
    })),
    refresh,
    publish: { license, topics, publisher, summary, description },
  };
}
