import { storedRecipe } from "@/lib/builds/document/stored-recipe";
import type { BuiltLineage, SealedLineage, SealedSource } from "@/lib/schemas/lineage";
import type { RecipeSource } from "@/lib/schemas/recipe-source";
import type { RunCheck } from "@/lib/schemas/run";
import type { SealedBuild } from "@/lib/store/releases/sealed-builds";
import type { PublicTable } from "@/lib/store/sources/source-tables";
import { datasetPage, versionRecipe } from "./links";
import { addressAlone, shownRecipe } from "./public-recipe";

const PARTS_SHOWN = 100;

/** Public tables, by the name that a recipe gives them. */
export type PublicTables = ReadonlyMap<string, PublicTable>;

interface At {
  base: string;
  tables: PublicTables;
  /** Whether to include the recipe's document. */
  withRecipe?: boolean;
}

/** The tables that a stored recipe reads, by the names that it gives them. */
export const tablesRead = (document: string): string[] =>
  storedRecipe(document).recipe.sources.flatMap((source) => (source.kind === "table" ? [source.table] : []));

/** Whether readers may know of a source: it is listed, and if it is a table, that table is public. */
export const isTold = (source: RecipeSource, tables: PublicTables): boolean =>
  source.listed && (source.kind !== "table" || tables.has(source.table));

/** Whether readers see the recipe: it is not hidden, and it names no source that they may not know of. */
export const isRecipeShown = ({ document, showsRecipe }: SealedBuild, tables: PublicTables): boolean =>
  showsRecipe && storedRecipe(document).recipe.sources.every((source) => isTold(source, tables));

/** How a version was built, for its readers. Pure. */
export function builtLineage(build: SealedBuild, at: At): BuiltLineage {
  const sealed = JSON.parse(build.lineage) as SealedLineage | null;
  const { sources, tables } = storedRecipe(build.document).recipe;
  const isShown = isRecipeShown(build, at.tables);
  const read = sealed?.sources ?? [];
  const used = sealed?.sources ? sources.filter(({ name }) => read.some((each) => each.name === name)) : sources;
  const told = used.filter((source) => isTold(source, at.tables));
  const own = tables.find(({ name }) => name === sealed?.table);
  return {
    sealed_at: build.sealedAt.toISOString(),
    run: {
      started_at: build.claimedAt?.toISOString() ?? null,
      seconds: secondsOf(build),
      engine: sealed?.engine ?? null,
    },
    recipe: recipeOf(build, isShown, at),
    sources: told.map((source) => sourceOf(source, read, at)),
    unlisted_source_count: used.length - told.length,
    checks: (build.checks as RunCheck[]).map(({ table: _, message, ...check }) => ({
      ...check,
      message: isShown ? message : null,
    })),
    columns: isShown && own ? columnsOf(sealed) : [],
  };
}

function recipeOf(build: SealedBuild, isShown: boolean, { base, withRecipe }: At): BuiltLineage["recipe"] {
  const { revision, documentDigest, recipeDigest, tableId, versionId } = build;
  const shown = isShown ? shownRecipe(build.document) : undefined;
  return {
    revision,
    document_digest: `sha256:${documentDigest}`,
    recipe_digest: recipeDigest,
    url: shown ? versionRecipe(base, tableId, versionId) : null,
    is_whole: shown?.isWhole ?? null,
    ...(withRecipe && shown && { document: shown.recipe }),
  };
}

const secondsOf = ({ claimedAt, finishedAt }: SealedBuild): number | null =>
  claimedAt && finishedAt ? (finishedAt.getTime() - claimedAt.getTime()) / 1000 : null;

function sourceOf(source: RecipeSource, read: readonly SealedSource[], at: At): BuiltLineage["sources"][number] {
  const { name, kind, attribution } = source;
  const table = source.kind === "table" ? at.tables.get(source.table) : undefined;
  const sealed = read.find((each) => each.name === name);
  const parts = sealed?.parts ?? [];
  return {
    name,
    title: source.title ?? table?.title ?? null,
    kind,
    url: pageOf(source, at),
    license: source.license ?? table?.license ?? null,
    attribution: attribution ?? null,
    read_at: sealed?.read_at ?? null,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    parts_total: parts.length,
    parts: parts
      .slice(0, PARTS_SHOWN)
      .map(({ partition, digest, bytes }) => ({ partition, content_digest: `sha256:${digest}`, bytes })),
  };
}

/** A source's page, otherwise the URL that it is read from, without its query string. */
function pageOf(source: RecipeSource, { base, tables }: At): string | null {
  if (source.homepage !== undefined) return source.homepage;
  if (source.kind === "package") return `https://www.npmjs.com/package/${source.package}`;
  if (source.kind === "table") {
    const table = tables.get(source.table);
    return table ? `${datasetPage(base, table.datasetSlug)}?table=${table.tableSlug}` : null;
  }
  if (source.kind === "upload") return null;
  const address = source.url ?? source.urls?.[0];
  return address === undefined ? (source.template?.url.split("?")[0] ?? null) : addressAlone(address) || null;
}

const columnsOf = (sealed: SealedLineage | null): BuiltLineage["columns"] =>
  Object.entries(sealed?.columns ?? {}).map(([name, column]) => ({ name, ...column }));
