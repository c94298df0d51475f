import { z } from "zod";
import { fail } from "@/lib/kernel/errors";
import { BUILD, locateRun, runPathSchema, waitSchema } from "@/lib/operations/datasets/build-path";
import { builderText } from "@/lib/operations/datasets/builder";
import { operation } from "@/lib/operations/operation";
import { releaseDifferences } from "@/lib/operations/releases/release-differences";
import { runBriefSchema, runResultSchema } from "@/lib/schemas/run";
import { tableDifferenceSchema } from "@/lib/schemas/table-difference";
import { confirmRun as confirm } from "@/lib/store/runs/runs";
import { briefOf, resultOf } from "./present-run";
import { isAtRest, waitForRun } from "./wait-for-run";

/** POST to start the sample of a planned run. */
export const confirmRun = operation({
  name: "confirm_run",
  summary: "Start a run's sample",
  description:
    "Starts the sample of a planned run: at most 10,000 rows of each source are read, built and checked. Waits for " +
    "it up to wait_ms, and returns tables, rejects, checks, and the recipe_digest for approve_full_run.",
  access: "build",
  quota: "account",
  http: { method: "POST", path: `${BUILD}/runs/{run_id}/confirm` },
  input: { path: runPathSchema, body: z.strictObject({ wait_ms: waitSchema.default(10_000) }) },
  output: runBriefSchema.extend({
    sample: runResultSchema.optional(),
    differences: z.array(tableDifferenceSchema).optional().describe("Compared with the current release."),
  }),
  errors: ["conflict"],
  examples: { body: {} },
  locate: locateRun,
  async run({ located, body }, ctx) {
    if (["cancelled", "expired", "failed"].includes(located.state))
      throw fail("conflict", { message: `The run is ${located.state}. Plan a new one with start_run.` });
    const confirmed = await confirm(located, builderText(ctx), ctx.now());
    const run = await waitForRun(confirmed, body.wait_ms, isAtRest, ctx);
    const sample = run.state === "awaiting_approval" ? resultOf(run) : undefined;
    const differences = await releaseDifferences(run, ctx);
    return {
      ...briefOf(run, ctx.baseUrl),
      ...(sample && { sample }),
      ...(differences.length > 0 && { differences }),
    };
  },
  mcp: {
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  },
});
