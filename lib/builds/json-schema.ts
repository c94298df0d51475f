import { z } from "zod";
import { RECIPE_VERSION, recipePublishSchema, recipeTableSchema, refreshSchema } from "@/lib/schemas/recipe";
import { READER_OPTIONS, type ReaderFormat } from "@/lib/schemas/recipe-reader";
import { SOURCES } from "@/lib/schemas/recipe-source";
import { CHECK_EXAMPLES } from "./checks/examples";
import { CHECK_KINDS } from "./checks/registry";
import { SOURCE_EXAMPLES } from "./examples/source-examples";
import { stepExample } from "./examples/step-examples";
import { STEP_KINDS } from "./steps/registry";

type Json = Record<string, unknown>;

/** Where the document's JSON Schema is published. */
export const RECIPE_SCHEMA_PATH = "/schemas/service-recipe.v1.json";

const schemaOf = (schema: z.ZodType): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    reused: "inline",
  }) as Json;
  return rest;
};

/** The recipe document as JSON Schema 2020-12, made from the tables that the code runs on. */
export function recipeJsonSchema(baseUrl: string): Json {
  const table = schemaOf(recipeTableSchema) as { properties: Json };
  const kinds = (rows: Readonly<Record<string, { schema: z.ZodType }>>, exampleOf: (name: string) => unknown) => ({
    type: "array",
    items: {
      anyOf: Object.entries(rows).map(([name, { schema }]) => withExample(schemaOf(schema), exampleOf(name))),
    },
  });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `${baseUrl}${RECIPE_SCHEMA_PATH}`,
    title: RECIPE_VERSION,
    type: "object",
    required: ["schema_version", "sources", "tables", "publish"],
    additionalProperties: false,
    properties: {
      schema_version: { const: RECIPE_VERSION },
      sources: { type: "array", minItems: 1, maxItems: 20, items: { anyOf: sourceSchemas() } },
      tables: {
        type: "array",
        minItems: 1,
        maxItems: 20,
        items: {
          ...table,
          properties: {
            ...table.properties,
            steps: kinds(STEP_KINDS, stepExample),
            checks: kinds(CHECK_KINDS, (name) => CHECK_EXAMPLES[name]?.check),
          },
        },
      },
      refresh: schemaOf(refreshSchema),
      publish: schemaOf(recipePublishSchema),
    },
  };
}

const withExample = (schema: Json, example: unknown): Json =>
  example === undefined ? schema : { ...schema, examples: [example] };

const sourceSchemas = (): Json[] =>
  Object.entries(SOURCES).map(([kind, source]) =>
    withExample(sourceSchema(source), (SOURCE_EXAMPLES as Readonly<Record<string, unknown>>)[kind]),
  );

function sourceSchema(source: z.ZodType): Json {
  const schema = schemaOf(source) as { properties: Json };
  return "reader" in schema.properties
    ? { ...schema, properties: { ...schema.properties, reader: readerSchema() } }
    : schema;
}

const readerSchema = (): Json => ({
  anyOf: (Object.keys(READER_OPTIONS) as ReaderFormat[]).map((format) => ({
    type: "object",
    required: ["format"],
    additionalProperties: false,
    properties: { format: { const: format }, options: schemaOf(READER_OPTIONS[format]) },
  })),
});
