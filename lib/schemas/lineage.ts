import { z } from "zod";
import { versionRefSchema } from "./table";
import { timestampSchema } from "./timestamp";

export const LINEAGE_KINDS = ["copied", "parsed", "derived", "aggregated", "constant"] as const;

/** A source as a release recorded it. */
export interface SealedSource {
  name: string;
  /** When it was last observed with these bytes: ISO 8601, UTC. */
  read_at: string;
  /** One per file, page or partition; `digest` is the SHA-256 of its raw bytes, in hex. */
  parts: { partition: string | null; digest: string; bytes: number }[];
}

/** What `Release.lineage` holds as JSON text. Releases of early builds have only `table` and `columns`. */
export interface SealedLineage {
  table: string;
  columns: Readonly<
    Record<
      string,
      { from: { source: string; column: string }[]; steps: number[]; kind: (typeof LINEAGE_KINDS)[number] }
    >
  >;
  sources?: SealedSource[];
  engine?: { duckdb: string; readers: number };
}

const digestSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/);

const sourceSchema = z
  .strictObject({
    name: z.string().describe("Its name in the recipe."),
    title: z.string().nullable(),
    kind: z.enum(["http", "upload", "package", "table"]),
    url: z.string().nullable().describe("Where it is published: its page, or its URL without the query string."),
    license: z.string().nullable().describe("The source's licence, as the recipe states it."),
    attribution: z.string().nullable(),
    read_at: timestampSchema.nullable().describe("When it was last observed with these bytes."),
    bytes: z.int().min(0),
    parts_total: z.int().min(0).describe("Files, pages or partitions."),
    parts: z
      .array(z.strictObject({ partition: z.string().nullable(), content_digest: digestSchema, bytes: z.int().min(0) }))
      .describe("The first 100, with the SHA-256 of their raw bytes."),
  })
  .meta({ id: "LineageSource" });

const checkSchema = z
  .strictObject({
    check: z.string(),
    title: z.string().nullable(),
    severity: z.enum(["error", "warn"]),
    outcome: z.enum(["passed", "failed", "not_applicable"]),
    failures: z.int().min(0),
    examined: z.int().min(0),
    message: z.string().nullable().describe("Null if the recipe is not shown."),
  })
  .meta({ id: "LineageCheck" });

const columnSchema = z
  .strictObject({
    name: z.string(),
    kind: z.enum(LINEAGE_KINDS),
    from: z.array(z.strictObject({ source: z.string(), column: z.string() })),
    steps: z.array(z.int().min(0)).describe("Indexes of the table's steps that produced it, from 0."),
  })
  .meta({ id: "LineageColumn" });

export const lineageSchema = z
  .strictObject({
    schema_version: z.literal("service-public-table-lineage.v1"),
    table: versionRefSchema,
    built: z
      .strictObject({
        sealed_at: timestampSchema,
        run: z.strictObject({
          started_at: timestampSchema.nullable(),
          seconds: z.number().nullable().describe("From the start of the full run to its sealing."),
          engine: z.strictObject({ duckdb: z.string(), readers: z.int() }).nullable(),
        }),
        recipe: z.strictObject({
          revision: z.int().min(1),
          document_digest: digestSchema.describe("Of the recipe's canonical JSON."),
          recipe_digest: digestSchema
            .nullable()
            .describe("The digest of what was approved: the recipe's meaning and its lock."),
          url: z.url().nullable().describe("URL of the document; null if its workspace does not show it."),
          is_whole: z
            .boolean()
            .nullable()
            .describe("False if names of credentials, and what is sent with them, are omitted from the document."),
          document: z
            .looseObject({})
            .optional()
            .describe("With recipe=true, if it is shown: service-recipe.v1 in canonical JSON."),
        }),
        sources: z.array(sourceSchema),
        unlisted_source_count: z.int().min(0).describe("Sources that are not named here."),
        checks: z.array(checkSchema),
        columns: z.array(columnSchema).describe("Empty if the recipe is not shown."),
      })
      .nullable()
      .describe("Null for files that a publisher prepared."),
  })
  .meta({ id: "TableLineage" });
export type Lineage = z.output<typeof lineageSchema>;
export type BuiltLineage = NonNullable<Lineage["built"]>;
