import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { draftRecipe } from "@/lib/builds/document/read-recipe";
import { readShape } from "@/lib/builds/document/shape";
import { readTree } from "@/lib/builds/document/tree";
import { slugSchema } from "@/lib/schemas/dataset";
import { lineSchema } from "@/lib/schemas/name";
import { columnNoteSchema, datasetTextsSchema, labelSchema } from "@/lib/schemas/publish";
import { PREPARATIONS, type PreparationName, preparedFile } from "./preparations";
import type { Showcase, ShowcaseVersion } from "./showcase";

const releaseSchema = z.strictObject({
  label: labelSchema,
  published_at: z
    .string()
    .refine((text) => /^\d{4}-\d\d-\d\d(?:T.+Z)?$/.test(text) && !Number.isNaN(Date.parse(text)), {
      error: "Use a day, or a time that ends with Z, such as 2026-09-03T14:39:50Z.",
    }),
  /** The name of the dependency in package.json. */
  installed_as: z.string().min(1),
  /** Columns that upstream had not yet introduced in this release. */
  absent_columns: z.array(z.string()).default([]),
});

const tableSchema = z.strictObject({
  slug: slugSchema,
  title: lineSchema(200),
  description: z.string(),
  columns: z.array(columnNoteSchema).min(1),
  primary_key: z.array(z.string()),
  order_by: z.array(z.string()),
});

const publishSchema = z.strictObject({
  summary: z.string(),
  description: z.string(),
  publisher: z.strictObject({ name: lineSchema(200), url: z.url() }),
  license: lineSchema(200),
  topics: z.array(lineSchema(60)),
});

/** What the catalogue says about a dataset is in its recipe; the recipe's other keys are checked with the recipe. */
const recipeSchema = z.object({
  sources: z.array(z.object({ path: z.string() })).length(1),
  tables: z.array(tableSchema.strip()).min(1),
  publish: publishSchema.strip(),
});

/** In place of a recipe, for prepared files: the package's file, and what a recipe would say about it. */
const publishedSchema = z.strictObject({
  file: z.string().min(1),
  tables: z.array(tableSchema).min(1),
  publish: publishSchema,
});

const datasetFileSchema = z
  .strictObject({
    title: lineSchema(200),
    sources: datasetTextsSchema.shape.sources.unwrap(),
    temporal_coverage: datasetTextsSchema.shape.temporalCoverage.unwrap(),
    /** Oldest first. */
    releases: z.array(releaseSchema).min(1),
    /** The code that turns the package's file into rows; absent if the file consists of rows already. */
    prepare: z.enum(Object.keys(PREPARATIONS) as PreparationName[]).optional(),
    recipe: recipeSchema.optional(),
    published: publishedSchema.optional(),
  })
  .refine(({ recipe, published }) => (recipe === undefined) !== (published === undefined), {
    error: "Give exactly one of recipe and published.",
  });

/** A showcase dataset by its slug, which its file is named after. */
export function readShowcase(slug: string): Showcase {
  const path = `lib/showcase/datasets/${slug}.yaml`;
  return parseShowcase(path, readFileSync(join(process.cwd(), path), "utf8"));
}

/** Reads the text of a dataset's file. Throws with the path and every fault of it, each with its place. */
export function parseShowcase(path: string, text: string): Showcase {
  const tree = treeOf(path, text);
  const { value: file, faults } = readShape(datasetFileSchema, tree, "");
  const recipe = (tree as { recipe?: unknown } | null)?.recipe;
  const draft = recipe === undefined ? undefined : draftRecipe(recipe);
  const own = file?.recipe ?? file?.published;
  const found = [
    ...faults,
    ...(draft?.faults ?? []).map((fault) => ({ ...fault, pointer: `/recipe${fault.pointer}` })),
  ];
  if (!file || !own || found.length > 0)
    throw invalid(
      path,
      found.map(({ pointer, message }) => `${pointer || "/"}: ${message}`),
    );
  return { ...showcaseOf(basename(path, ".yaml"), file, own), ...(draft && { recipe: draft.canonical }) };
}

type DatasetFile = z.output<typeof datasetFileSchema>;
type Own = NonNullable<DatasetFile["recipe"] | DatasetFile["published"]>;

function showcaseOf(slug: string, file: DatasetFile, { tables, publish }: Own): Showcase {
  const { title, sources, temporal_coverage: temporalCoverage } = file;
  return {
    dataset: { slug, title, ...publish, sources, temporalCoverage },
    tables: tables.map(({ title: name, primary_key: primaryKey, order_by: orderBy, ...table }) => ({
      ...table,
      ...{ name, primaryKey, orderBy },
      versions: versionsOf(`${slug}-${table.slug}`, table.slug, file),
    })),
  };
}

function versionsOf(name: string, table: string, file: DatasetFile): ShowcaseVersion[] {
  const path = file.recipe?.sources[0]?.path ?? file.published?.file ?? "";
  return file.releases.map(({ label, published_at, installed_as: folder, absent_columns: absentColumns }) => ({
    ...{ label, publishedAt: new Date(published_at), folder, absentColumns },
    prepare: (workDir) =>
      preparedFile({ preparation: file.prepare, folder, path, table, to: join(workDir, `${name}-${label}.ndjson`) }),
  }));
}

function treeOf(path: string, text: string): unknown {
  try {
    return readTree(text);
  } catch (cause) {
    throw invalid(path, [cause instanceof Error ? cause.message : String(cause)], cause);
  }
}

const invalid = (path: string, faults: readonly string[], cause?: unknown): Error =>
  new Error([`${path} is not valid:`, ...new Set(faults)].join("\n  "), { cause });
