import { z } from "zod";
import { CHANGES } from "./table";

/** THE list of what a dataset has news of. `isOpen`: whoever may read the dataset hears of it, else its members alone. */
export const NEWS_KINDS = {
  run_failed: { title: "Run failed", meaning: "A run ended with a failure; what is current stays.", isOpen: false },
  approval_asked: { title: "Approval asked", meaning: "A run waits until a member decides.", isOpen: false },
  released: { title: "Released", meaning: "Another version of a table became current.", isOpen: true },
  went_stale: { title: "Went stale", meaning: "The expected update of a table has not arrived.", isOpen: true },
  recovered: { title: "Recovered", meaning: "A table that was stale is current again.", isOpen: true },
} as const satisfies Record<string, { title: string; meaning: string; isOpen: boolean }>;

export type NewsKind = keyof typeof NEWS_KINDS;

export const NEWS_KIND_NAMES = Object.keys(NEWS_KINDS) as [NewsKind, ...NewsKind[]];

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
  expected_next_latest: z.iso.datetime().nullable().describe("When the update should have arrived by."),
});

/** The facts of each kind, as they are stored. */
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

/** One event as it is stored and handed to every delivery: facts alone, no address and nothing that an agent wrote. */
export const newsEventSchema = z.discriminatedUnion("kind", [
  facts("run_failed"),
  facts("approval_asked"),
  facts("released"),
  facts("went_stale"),
  facts("recovered"),
]);
export type NewsEvent = z.output<typeof newsEventSchema>;

/** What a watch is told of besides news: that somebody tries it. */
const testEventSchema = z.object({ kind: z.literal("test"), at: z.iso.datetime() });
export const watchEventSchema = z.union([newsEventSchema, testEventSchema]);
export type WatchEvent = z.output<typeof watchEventSchema>;
