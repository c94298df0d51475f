import { z } from "zod";
import { BUILD, locateRun, runPathSchema, waitSchema } from "@/lib/operations/datasets/build-path";
import { operation } from "@/lib/operations/operation";
import { releaseDifferences } from "@/lib/operations/releases/release-differences";
import {
  approvalSchema,
  estimateSchema,
  RUN_EVENT_KINDS,
  RUN_STATES,
  type RunEventKind,
  runBriefSchema,
  runEventSchema,
  runResultSchema,
} from "@/lib/schemas/run";
import { tableDifferenceSchema } from "@/lib/schemas/table-difference";
import { listArtifacts } from "@/lib/store/runs/artifacts";
import { listRunEvents, type StoredRun } from "@/lib/store/runs/runs";
import { approvalOf, briefOf, resultOf } from "./present-run";
import { waitForRun } from "./wait-for-run";

const LAST_EVENTS = 5;

/** GET a run; waits for its next state if the known one is given. */
export const getRun = operation({
  name: "get_run",
  summary: "Get a run",
  description:
    "State, progress, result and approval of a run. With known_state and wait_ms it returns as soon as the state " +
    "differs, which saves polling.",
  access: "build_read",
  quota: "account",
  http: { method: "GET", path: `${BUILD}/runs/{run_id}` },
  input: {
    path: runPathSchema,
    query: z.strictObject({ known_state: z.enum(RUN_STATES).optional(), wait_ms: waitSchema.default(0) }),
  },
  output: runBriefSchema.extend({
    estimate: estimateSchema.optional(),
    result: runResultSchema.optional(),
    approval: approvalSchema.optional(),
    differences: z
      .array(tableDifferenceSchema)
      .optional()
      .describe("Compared with the current version; absent if this is the current version."),
    artifacts: z.int(),
    last_events: z.array(runEventSchema),
  }),
  locate: locateRun,
  async run({ located, query }, ctx) {
    const run = query.known_state
      ? await waitForRun(located, query.wait_ms, (state) => state !== query.known_state, ctx)
      : located;
    const after = Math.max(0, run.eventSeq - LAST_EVENTS);
    const [events, artifacts] = await Promise.all([
      listRunEvents(run.id, after, LAST_EVENTS),
      listArtifacts(run.id, ctx.now()),
    ]);
    const differences = await releaseDifferences(run, ctx);
    const { estimate } = run.plan as { estimate?: z.output<typeof estimateSchema> };
    return {
      ...briefOf(run, ctx.baseUrl),
      ...(estimate && run.state === "planned" && { estimate }),
      ...optional("result", resultOf(run)),
      ...optional("approval", approvalOf(run, ctx.baseUrl)),
      ...(differences.length > 0 && { differences }),
      artifacts: artifacts.length,
      last_events: events.map(presentEvent),
    };
  },
  mcp: {},
});

const optional = <Name extends string, T>(name: Name, value: T | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [N in Name]?: T };

type StoredEvent = Awaited<ReturnType<typeof listRunEvents>>[number];

const presentEvent = ({ seq, at, kind, message, data }: StoredEvent): z.output<typeof runEventSchema> => ({
  seq,
  at: at.toISOString(),
  kind: kind as (typeof RUN_EVENT_KINDS)[number],
  message,
  data: data as Record<string, unknown>,
});

/** Checked by hand, because listing all kinds in every tools/list would cost 300 tokens. */
const kindSchema = z
  .custom<RunEventKind>(
    (kind) => RUN_EVENT_KINDS.some((known) => known === kind),
    `Unknown kind of event. Use one of ${RUN_EVENT_KINDS.join(", ")}.`,
  )
  .meta({ type: "string" });
const kindsSchema = z
  .union([z.array(kindSchema), kindSchema.transform((kind) => [kind])])
  .optional()
  .describe("Such as sealed or failed; all if absent.");

/** GET the events of a run after a seq. */
export const runEvents = operation({
  name: "run_events",
  summary: "List a run's events",
  description: "The numbered events of a run after after_seq, oldest first; with wait_ms it waits for the next one.",
  access: "build_read",
  quota: "account",
  http: { method: "GET", path: `${BUILD}/runs/{run_id}/events` },
  input: {
    path: runPathSchema,
    query: z.strictObject({
      after_seq: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      kinds: kindsSchema,
      wait_ms: waitSchema.default(0),
    }),
  },
  output: z.object({
    events: z.array(runEventSchema),
    last_seq: z.int(),
    more: z.boolean(),
    state: z.enum(RUN_STATES),
    poll_after_ms: z.int().optional(),
  }),
  locate: locateRun,
  async run({ located, query: { after_seq, limit, kinds, wait_ms } }, ctx) {
    const run = await waitForSeq(located, after_seq, wait_ms, ctx);
    const found = await listRunEvents(run.id, after_seq, limit + 1, kinds);
    const events = found.slice(0, limit).map(presentEvent);
    const { poll_after_ms } = briefOf(run, ctx.baseUrl);
    return {
      events,
      last_seq: events.at(-1)?.seq ?? after_seq,
      more: found.length > limit,
      state: run.state,
      ...(poll_after_ms !== undefined && { poll_after_ms }),
    };
  },
  mcp: {
    input: runPathSchema.omit({ workspace_id: true }).extend({
      after_seq: z.int().min(0).default(0),
      limit: z.int().min(1).max(200).default(50),
      kinds: z.array(z.string().max(30)).max(RUN_EVENT_KINDS.length).optional(), // their list is long
      wait_ms: waitSchema.default(0),
    }),
  },
});

async function waitForSeq(
  run: StoredRun,
  afterSeq: number,
  waitMs: number,
  ctx: Parameters<typeof waitForRun>[3],
): Promise<StoredRun> {
  if (run.eventSeq > afterSeq) return run;
  const { state } = run;
  return waitForRun(run, waitMs, (now) => now !== state, ctx);
}
