import { z } from "zod";

export const RUN_STATES = [
  "planned",
  "queued",
  "running",
  "awaiting_approval",
  "queued_full",
  "running_full",
  "sealed",
  "failed",
  "cancelled",
  "expired",
] as const;

/** THE kinds of events of a run. */
export const RUN_EVENT_KINDS = [
  "planned",
  "confirmed",
  "queued",
  "started",
  "phase",
  "source_read",
  "source_unchanged",
  "rejects",
  "check_done",
  "sample_ready",
  "approval_asked",
  "approved",
  "declined",
  "sealed",
  "promoted",
  "activated",
  "warning",
  "retry_planned",
  "worker_lost",
  "handed_back",
  "cancel_requested",
  "cancelled",
  "failed",
  "expired",
] as const;
export type RunEventKind = (typeof RUN_EVENT_KINDS)[number];

/** THE codes with which a run fails, each with what to do. */
export const RUN_FAILURES = {
  source_unreachable: "Check the source's URL, and start the run again later.",
  source_refused: "Use another URL; this one is not allowed.",
  source_status: "Check the source's URL in a browser, and whether it needs a credential.",
  source_timeout: "Start the run again later, or read less of the source.",
  source_too_large: "Read less of the source, such as by a template or slices.",
  source_changed: "The source changed while it was read. Start the run again.",
  archive_unsafe: "Ask the publisher for a plain archive.",
  archive_member: "Name a member that the archive contains.",
  encoding_invalid: "Declare the source's encoding in its reader.",
  reader_mismatch: "Declare the source's format, or check that its URL returns data.",
  header_mismatch: "Declare the header rows that the file has.",
  pages_repeat: "Check how the source paginates.",
  pages_incomplete: "Check how the source paginates, or start the run again.",
  schema_violation: "Propose a revision that corrects what the message names, for the columns that the source has now.",
  too_many_rejects: "Correct the formats of the step, or raise the table's tolerance.",
  key_violation: "Choose other columns as primary key, or add a dedupe step.",
  join_multiple: "Make the right side's keys unique, or set how several matches are handled.",
  join_unmatched: "Correct the keys, or raise unmatched.",
  value_overflow: "Cast to a larger type before computing.",
  check_failed: "Look at the failing rows, then correct the recipe or the check.",
  memory_exceeded: "Select fewer columns or rows before joins, aggregates and sorts.",
  disk_exceeded: "Select fewer columns or rows; if the service's disk is full, start the run again later.",
  time_exceeded: "Select fewer columns or rows, or split the table.",
  rows_exceeded: "Filter or aggregate, or split the table.",
  secret_missing: "Have a person store the credential at /settings/secrets.",
  secret_host_refused: "Have a person allow the host for the credential at /settings/secrets.",
  secret_unreadable: "Have a person store the credential again at /settings/secrets.",
  secret_echoed: "Use another URL of the source, which does not return it.",
  table_missing: "Name a table that the workspace can read.",
  publisher_taken: "Use a different publisher name in the recipe.",
  plan_ended: "Have an owner choose the paid plan at /settings/workspace, then start the run again.",
  upload_missing: "Upload the file under the name in the recipe.",
  snapshot_missing: "Start a new run: the stored bytes are gone.",
  worker_lost: "Start the run again.",
  sandbox_crashed: "Start the run again; if it crashes again, simplify the recipe.",
  cancelled: "Start a new run when you need it.",
  quota_exhausted: "Wait until midnight UTC, read less, or delete datasets that are no longer needed.",
  internal: "Start the run again. If it fails again, report the run's id.",
} as const satisfies Record<string, string>;
export type RunFailureCode = keyof typeof RUN_FAILURES;

export const isRunFailure = (code: string): code is RunFailureCode => Object.hasOwn(RUN_FAILURES, code);

const instant = z.iso.datetime();

/** The common fields of every reply about a run. */
export const runBriefSchema = z.object({
  run_id: z.uuid(),
  dataset: z.string(),
  revision: z.int(),
  kind: z.enum(["build", "refresh", "replay"]),
  state: z.enum(RUN_STATES),
  outcome: z.enum(["released", "unchanged"]).nullable(),
  current: z.boolean().optional().describe("For a sealed run: whether all of its result is current."),
  asks: z.literal(true).optional().describe("It, or its result, awaits a person's approval."),
  phase: z.string().optional(),
  progress: z.object({ done: z.number(), of: z.number().nullable(), unit: z.string() }).optional(),
  failure: z.object({ code: z.string(), message: z.string(), fix: z.string() }).optional(),
  created_at: instant,
  updated_at: instant,
  expires_at: instant.optional(),
  poll_after_ms: z.int().optional(),
  next: z.string().describe("What to do next, naming the call."),
});
export type RunBrief = z.output<typeof runBriefSchema>;

const range = z.object({ min: z.number(), max: z.number() });
export const estimateSchema = z.object({
  bytes: range,
  rows: range,
  seconds: range,
  basis: z.enum(["measured", "inspected", "limits"]),
  sources: z.array(
    z.object({
      name: z.string(),
      kind: z.string(),
      host: z.string().nullable(),
      partitions: z.int(),
      last_read_at: instant.nullable(),
      credential: z.string().nullable(),
    }),
  ),
  quota: z.object({ runs_left_today: z.int(), bytes_left_today: z.number() }),
});
export type Estimate = z.output<typeof estimateSchema>;

export const runCheckSchema = z.object({
  check: z.string(),
  table: z.string(),
  title: z.string().nullable(),
  severity: z.enum(["error", "warn"]),
  outcome: z.enum(["passed", "failed", "not_applicable"]),
  failures: z.number(),
  examined: z.number(),
  message: z.string(),
  examples: z
    .array(z.record(z.string(), z.string().nullable()))
    .optional()
    .describe("For a failed check: the first failures, by column, with their primary key; long values are truncated."),
});
export type RunCheck = z.output<typeof runCheckSchema>;

export const tableResultSchema = z.object({
  table: z.string().describe("The table's slug."),
  rows: z.number(),
  columns: z.int(),
  change: z.string().optional(),
  version_id: z.uuid().optional(),
  content_digest: z.string().optional(),
  outcome: z.enum(["released", "unchanged"]).optional(),
});

const rejectCountSchema = z.object({
  table: z.string(),
  column: z.string(),
  cells: z.number(),
  examples: z.array(z.string()),
});

/** The result of a replay for a table of the run that it repeats. */
const reproductionSchema = z.object({
  table: z.string(),
  expected_digest: z.string(),
  content_digest: z.string(),
  verdict: z.enum(["same_bytes", "same_content", "different"]),
});
export type Reproduction = z.output<typeof reproductionSchema>;

/** The result of a sample or of a full run. */
export const runResultSchema = z.object({
  recipe_digest: z.string().nullable(),
  tables: z.array(tableResultSchema),
  rejects: z.array(rejectCountSchema),
  checks: z.array(runCheckSchema),
  step_rows: z
    .array(
      z.object({
        ...{ table: z.string(), step: z.int(), kind: z.string(), from: z.number(), to: z.number() },
        dropped: z.number().optional().describe("Rows left out; of unpivot, cells without a value."),
        unmatched: z.number().optional().describe("Rows of a left join without a match."),
      }),
    )
    .optional()
    .describe("The steps, from 0, that changed the number of rows, or found no match for some."),
  inferred: z.array(z.object({ table: z.string(), column: z.string(), type: z.string(), why: z.string() })),
  reproduces: z.array(reproductionSchema).optional().describe("For a replay with the same recipe."),
  sampled: z.array(
    z.object({
      ...{ source: z.string(), rows: z.number(), of: z.number().nullable() },
      remarks: z.array(z.string()).optional().describe("What the source states about its number of rows, if in doubt."),
    }),
  ),
  left_out: z
    .array(
      z.object({
        ...{ source: z.string(), cause: z.string(), rows: z.number(), cells: z.number() },
        words: z.string(),
        loss: z.boolean().describe("Whether it is a value among the data. Those count as rejects."),
        examples: z.array(
          z.object({
            partition: z.string().nullable(),
            row: z.number(),
            column: z.int().nullable().describe("From 1; null for an entire row."),
            value: z.string(),
          }),
        ),
      }),
    )
    .optional()
    .describe("What the readers left out, by source and cause. The counts are exact; query_run lists it as left_out."),
  preview: z.record(z.string(), z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.unknown())) })),
});
export type RunResult = z.output<typeof runResultSchema>;

export const approvalSchema = z.object({
  state: z.enum(["asked", "approved", "declined", "withdrawn", "expired"]),
  approval_url: z.url().optional().describe("While an approval is pending."),
  asked_at: instant,
  expires_at: instant.optional().describe("While an approval is pending."),
  who_can: z.enum(["members", "owners"]),
  reason: z.string().nullable(),
});
export type ApprovalBrief = z.output<typeof approvalSchema>;

export const runEventSchema = z.object({
  seq: z.int(),
  at: instant,
  kind: z.enum(RUN_EVENT_KINDS),
  message: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type RunEventEntry = z.output<typeof runEventSchema>;

/** What happens once a full run is sealed. */
export const afterSealSchema = z.strictObject({
  promote: z.enum(["none", "private", "public"]).default("none"),
  activate: z.boolean().default(false),
});
export type AfterSeal = z.output<typeof afterSealSchema>;
