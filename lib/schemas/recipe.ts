import { z } from "zod";
import { slugSchema } from "./dataset";
import { lineSchema } from "./name";
import type { RecipeSource } from "./recipe-source";
import {
  columnNameSchema,
  daySchema,
  durationSchema,
  localMinuteSchema,
  noteSchema,
  periodSchema,
  recipeNameSchema,
  shareLimitSchema,
  webAddressSchema,
  zoneSchema,
} from "./recipe-values";

export const RECIPE_VERSION = "service-recipe.v1";
/** Maximum size of the canonical JSON. */
export const RECIPE_BYTES_MAX = 48 * 1024;
export const STEPS_MAX = 200;

const resultColumnSchema = z.strictObject({
  name: columnNameSchema,
  type: z.string().max(200).optional().describe("A column type; verified on every row."),
  description: z.string().max(2000).optional(),
  unit: z.string().max(50).optional(),
  nullable: z.boolean().default(true),
});

/** A step or a check; its own keys are parsed by its entry in lib/builds. */
const stepObject = z.record(z.string(), z.unknown());

export const recipeTableSchema = z.strictObject({
  name: recipeNameSchema,
  slug: slugSchema.optional(),
  title: lineSchema(200).optional(),
  description: z.string().max(10_000).optional(),
  license: lineSchema(200).optional(),
  note: noteSchema,
  internal: z.boolean().default(false),
  from: recipeNameSchema.describe("A source or an earlier table of the recipe."),
  steps: z.array(stepObject).max(100).default([]),
  columns: z.array(resultColumnSchema).max(2000).optional(),
  only: z.boolean().default(false).describe("Whether columns that `columns` does not name are omitted."),
  primary_key: z.array(columnNameSchema).max(8).default([]),
  time_column: columnNameSchema.optional(),
  order_by: z.array(columnNameSchema).max(8).default([]),
  contract: z
    .enum(["freeze", "evolve"])
    .default("freeze")
    .describe(
      "When a source has new columns: freeze ends the run if they would change the table; evolve adds them, and the " +
        "rows that unpivot makes of those that its pattern matches.",
    ),
  tolerance: z.strictObject({ cells: shareLimitSchema.optional(), rows: shareLimitSchema.optional() }).optional(),
  checks: z.array(stepObject).max(50).default([]),
});

export const refreshSchema = z.strictObject({
  every: periodSchema,
  anchor: localMinuteSchema.optional(),
  time_zone: zoneSchema.default("UTC"),
  days: z
    .array(z.enum(["mon", "tue", "wed", "thu", "fri", "sat", "sun"]))
    .min(1)
    .max(7)
    .optional(),
  skip_dates: z.array(daySchema).max(400).optional(),
  expected_by: z
    .union([z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "Use a time, such as 09:00."), durationSchema])
    .optional(),
  grace: durationSchema.optional(),
  read_every: periodSchema.optional(),
  ahead: durationSchema.optional(),
  on_upstream: z.boolean().default(false),
  on_upload: z.boolean().default(true),
});

export const recipePublishSchema = z.strictObject({
  license: lineSchema(200).describe("An SPDX identifier, or free text."),
  topics: z.array(lineSchema(60)).max(20).default([]),
  publisher: z.strictObject({ name: lineSchema(200), url: webAddressSchema.optional() }),
  summary: z.string().max(500).optional(),
  description: z.string().max(10_000).optional(),
  attribution: z.string().max(1000).optional(),
  auto_promote: z.boolean().default(true),
});

/** The document's outer shape. Sources, readers, steps and checks are parsed individually, by their entries. */
export const recipeSchema = z.strictObject({
  schema_version: z.literal(RECIPE_VERSION),
  sources: z.array(z.record(z.string(), z.unknown())).min(1).max(20),
  tables: z.array(recipeTableSchema).min(1).max(20),
  refresh: refreshSchema.optional(),
  publish: recipePublishSchema,
});

export type ResultColumn = z.output<typeof resultColumnSchema>;
export type Refresh = z.output<typeof refreshSchema>;
export type RecipePublish = z.output<typeof recipePublishSchema>;

/** A table as in the document; steps and checks with their own keys, and all defaults filled in. */
export type RecipeTable = Omit<z.output<typeof recipeTableSchema>, "steps" | "checks"> & {
  steps: RecipeStep[];
  checks: RecipeCheck[];
};

/** Its other keys are defined by the step's entry in `lib/builds/steps`. */
export interface RecipeStep {
  step: string;
  note?: string | undefined;
}

/** Its other keys are defined by the check's entry in `lib/builds/checks`. */
export interface RecipeCheck {
  check: string;
  severity: "error" | "warn";
  note?: string | undefined;
  title?: string | undefined;
}

/** A parsed recipe: shape and values checked, defaults filled in. */
export interface Recipe {
  schema_version: typeof RECIPE_VERSION;
  sources: RecipeSource[];
  tables: RecipeTable[];
  refresh?: Refresh | undefined;
  publish: RecipePublish;
}
