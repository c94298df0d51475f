import type { Showcase, ShowcaseVersion } from "./showcase";

/** How a showcase dataset is built from its packages. */
export interface ShowcaseRecipe {
  source: ShowcaseSource;
  /** The name that a version of the package is installed under. */
  folderOf(label: string): string;
  steps: readonly object[];
  checks: readonly object[];
  /** Absent if no later release is read. */
  refresh?: object;
}

export interface ShowcaseSource {
  name: string;
  title: string;
  package: string;
  path: string;
  reader: object;
  /** Where the data are described; the package's page by default. */
  homepage?: string;
  /** The newest release by default. */
  version?: string;
  /** Whether its data still change; active by default. */
  status?: "static";
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

/** What is built from a release; undefined if the dataset has no recipe. */
export function replayedVersion(showcase: Showcase, version: ShowcaseVersion): ReplayedVersion | undefined {
  const { dataset, recipe } = showcase;
  if (!recipe) return undefined;
  const { label, publishedAt } = version;
  return { dataset, document: recipeOf(showcase, recipe), label, publishedAt, folder: recipe.folderOf(label) };
}

/** The recipe of a showcase dataset with one table, including its metadata from the catalogue. */
export function recipeOf({ dataset, tables }: Showcase, { source, steps, checks, refresh }: ShowcaseRecipe): object {
  const { license, topics, publisher, summary, description } = dataset;
  const homepage = `https://www.npmjs.com/package/${source.package}`;
  const named = { kind: "package", registry: "npm", version: "latest", homepage, license };
  return {
    schema_version: "service-recipe.v1",
    sources: [{ ...named, ...source }],
    tables: tables.map(({ slug, name, description, columns, orderBy, primaryKey = [] }) => ({
      ...{ name: slug.replaceAll("-", "_"), slug, title: name, description, from: source.name, steps, columns, checks },
      ...{ primary_key: primaryKey, order_by: orderBy, only: true },
    })),
    ...(refresh && { refresh }),
    publish: { license, topics, publisher, summary, description },
  };
}
