import { z } from "zod";
import {
  FRESHNESS_CONFIDENCE,
  FRESHNESS_REASONS,
  FRESHNESS_STATES,
  type FreshnessReason,
  type FreshnessState,
  RELEASE_CONTINUITY,
} from "./freshness";
import { timestampSchema } from "./timestamp";

const namesOf = <Name extends string>(table: Readonly<Record<Name, unknown>>) =>
  Object.keys(table) as [Name, ...Name[]];

export const freshnessSchema = z
  .strictObject({
    state: z.enum(namesOf<FreshnessState>(FRESHNESS_STATES)),
    reason_code: z.enum(namesOf<FreshnessReason>(FRESHNESS_REASONS)),
  })
  .meta({ id: "Freshness" });

const VERDICT = {
  ...freshnessSchema.shape,
  confidence: z.enum(namesOf(FRESHNESS_CONFIDENCE)).describe("In the expected window."),
  last_observed_at: timestampSchema
    .nullable()
    .describe("When a source was last read, or an attempt was made; a replayed release is not a reading."),
  last_changed_at: timestampSchema
    .nullable()
    .describe("When a source's rows were last seen to change; for a replayed release, when it was published."),
  expected_next_earliest: timestampSchema.nullable(),
  expected_next_latest: timestampSchema.nullable(),
} as const;

const sourceFreshnessSchema = z
  .strictObject({ name: z.string(), ...VERDICT, consecutive_failures: z.int().min(0) })
  .meta({ id: "SourceFreshness" });

/** Whether a table is current, with the evidence. */
export const freshnessReportSchema = z
  .strictObject({
    ...VERDICT,
    continuity: z.enum(namesOf(RELEASE_CONTINUITY)).describe("How the current release relates to the previous one."),
    blocking_source: z.string().nullable().describe("The source that keeps the table from being fresh."),
    data_through: z.string().nullable().describe("The greatest day of the table's time column."),
    last_good_after_failed_refresh: z.boolean().describe("Whether the last refresh failed, after the current release."),
    sources_incomplete: z.boolean().describe("Whether the verdict includes sources that are not named here."),
    unlisted_source_count: z.int().min(0),
    sources: z.array(sourceFreshnessSchema),
  })
  .meta({ id: "TableFreshness" });

export type FreshnessReport = z.output<typeof freshnessReportSchema>;
