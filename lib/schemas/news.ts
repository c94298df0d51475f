import { z } from "zod";
import type { NewsKind } from "./news-kinds";
import { CHANGES } from "./table";
import { thresholdSchema } from "./view-result";

const tableRefSchema = z.object({ id: z.uuid(), slug: z.string() });

const releasedTableSchema = tableRefSchema.extend({
  version_id: z.uuid(),
  previous_version_id: z.uuid().nullable(),
  change: z.enum(CHANGES),
  rows: z.int(),
  content_digest: z.string(),
});

const verdictSchema = z.object({
  state: z.string(),
  reason_code: z.string(),
  expected_next_latest: z.iso.datetime().nullable().describe("The time by which the update should have arrived."),
});

/** The facts of each kind, as stored. */
const NEWS_FACTS = {
  run_failed: z.object({
    run: z.object({ id: z.uuid(), kind: z.string(), trigger: z.string() }),
    failure: z.object({ code: z.string(), message: z.string() }),
  }),
  approval_asked: z.object({
    run: z.object({ id: z.uuid(), kind: z.string(), trigger: z.string() }),
    approval: z.object({ kind: z.string() }),
  }),
  released: z.object({
    reason: z.enum(["promoted", "rolled_back", "withdrawn"]),
    tables: z.array(releasedTableSchema),
  }),
  went_stale: z.object({ tables: z.array(tableRefSchema), freshness: verdictSchema }),
  recovered: z.object({ tables: z.array(tableRefSchema), freshness: verdictSchema }),
} as const satisfies Record<NewsKind, z.ZodType>;

export type NewsFacts = { [K in NewsKind]: z.output<(typeof NEWS_FACTS)[K]> };

const datasetSchema = z.object({
  id: z.uuid(),
  slug: z.string(),
  title: z.string(),
  visibility: z.enum(["public", "private", "withdrawn"]),
});

const facts = <K extends NewsKind>(kind: K) =>
  z.object({ kind: z.literal(kind), at: z.iso.datetime(), dataset: datasetSchema, data: NEWS_FACTS[kind] });

/** One event as stored and passed to every delivery: only facts, no URL and nothing that an agent wrote. */
export const newsEventSchema = z.discriminatedUnion("kind", [
  facts("run_failed"),
  facts("approval_asked"),
  facts("released"),
  facts("went_stale"),
  facts("recovered"),
]);
export type NewsEvent = z.output<typeof newsEventSchema>;

const versionSchema = z.object({ id: z.uuid(), label: z.string().nullable(), published_at: z.iso.datetime() });
const viewSchema = z.object({ id: z.string(), title: z.string().nullable() });

/** The result of a watched view changed, or crossed the watch's threshold. */
const viewChangedSchema = z.object({
  kind: z.literal("view_changed"),
  at: z.iso.datetime(),
  dataset: datasetSchema,
  data: z.object({
    view: viewSchema.extend({ query: z.string().describe("The query string of the explorer's URL.") }),
    table: tableRefSchema,
    before: versionSchema,
    after: versionSchema,
    threshold: thresholdSchema
      .extend({ is_met: z.boolean().describe("Whether rows meet it now that did not before, or none does any more.") })
      .nullable(),
    before_withheld: z
      .boolean()
      .default(false)
      .describe("Whether no rows are told, because the version before was withdrawn or can no longer be read."),
    change: z.string().describe("JSON of a ResultChange, as text so that no digit is lost."),
  }),
});
export type ViewChanged = z.output<typeof viewChangedSchema>;

/** A watched view no longer gives a result. It contains nothing of the table, which may no longer be readable. */
const viewUnavailableSchema = z.object({
  kind: z.literal("view_unavailable"),
  at: z.iso.datetime(),
  data: z.object({ view: viewSchema, reason: z.string() }),
});

/** What a watch of a view receives. */
const viewEventSchema = z.discriminatedUnion("kind", [viewChangedSchema, viewUnavailableSchema]);
export type ViewEvent = z.output<typeof viewEventSchema>;

/** What a watch receives besides: a test. */
const testEventSchema = z.object({ kind: z.literal("test"), at: z.iso.datetime() });
export const watchEventSchema = z.union([newsEventSchema, viewEventSchema, testEventSchema]);
export type WatchEvent = z.output<typeof watchEventSchema>;
