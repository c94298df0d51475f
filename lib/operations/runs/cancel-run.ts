import { z } from "zod";
import { BUILD, locateRun, runPathSchema } from "@/lib/operations/datasets/build-path";
import { builderAuthor, builderOf } from "@/lib/operations/datasets/builder";
import { operation } from "@/lib/operations/operation";
import { runBriefSchema } from "@/lib/schemas/run";
import { cancelRun as cancel } from "@/lib/store/runs/runs";
import { briefOf } from "./present-run";

/** POST to cancel a run. */
export const cancelRun = operation({
  name: "cancel_run",
  summary: "Cancel a run",
  description:
    "Ends a run that has not ended: at once while it waits, within ten seconds while it runs. What was sealed is " +
    "kept. A run that has already ended is returned unchanged.",
  access: "build",
  quota: "account",
  http: { method: "POST", path: `${BUILD}/runs/{run_id}/cancel` },
  input: { path: runPathSchema, body: z.strictObject({ reason: z.string().max(200).default("") }) },
  output: runBriefSchema,
  examples: { body: {} },
  locate: locateRun,
  async run({ located, body }, ctx) {
    const run = await cancel(located, builderOf(ctx), body.reason, ctx.now(), builderAuthor(ctx));
    return briefOf(run, ctx.baseUrl);
  },
  mcp: {
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  },
});
