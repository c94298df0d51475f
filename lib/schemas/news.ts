import { z } from "zod";
import type { NewsKind } from "./news-kinds";
import { CHANGES } from "./table";

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

const facts = <K extends NewsKind>(kind: K) =>
  z.object({
    kind: z.literal(kind),
    at: z.iso.datetime(),
    dataset: z.object({
      id: z.uuid(),
      slug: z.string(),
      title: z.string(),
      visibility: z.enum(["public", "private", "withdrawn"]),
    }),
    data: NEWS_FACTS[kind],
  });

/** One event as stored and passed to every delivery: only facts, no URL and nothing that an agent wrote. */
export const newsEventSchema = z.discriminatedUnion("kind", [
  facts("run_failed"),
  facts("approval_asked"),
  facts("released"),
  facts("went_stale"),
  facts("recovered"),
]);
export type NewsEvent = z.output<typeof newsEventSchema>;

/** What a watch receives besides news: a test. */
const testEventSchema = z.object({ kind: z.literal("test"), at: z.iso.datetime() });
export const watchEventSchema = z.union([newsEventSchema, testEventSchema]);
export type WatchEvent = z.output<typeof watchEventSchema>;
