import { z } from "zod";
import { membershipOf } from "@/lib/access/authorize";
import { fail } from "@/lib/kernel/errors";
import { BUILD, buildPathSchema, locateBuilt } from "@/lib/operations/datasets/build-path";
import { operation } from "@/lib/operations/operation";
import { RUN_STATES, runBriefSchema } from "@/lib/schemas/run";
import { listRuns as list } from "@/lib/store/runs/runs";
import { briefOf } from "./present-run";

const querySchema = z.strictObject({
  dataset: z.string().max(200).optional().describe("Slug or id."),
  state: z.enum(RUN_STATES).optional(),
  kind: z.enum(["build", "refresh", "replay"]).optional(),
  since: z.iso.datetime().optional(),
  unchanged: z
    .stringbool()
    .or(z.boolean())
    .default(false)
    .describe("Whether to list refreshes that found nothing new."),
  limit: z.coerce.number().int().min(1).max(50).default(20),
  cursor: z.string().max(200).optional(),
});

/** GET the runs of a workspace or of one of its datasets. */
export const listRuns = operation({
  name: "list_runs",
  summary: "List runs",
  description: "Runs of the workspace or of one dataset, newest first. Refreshes that found nothing new are counted.",
  access: "build_read",
  quota: "account",
  http: { method: "GET", path: `${BUILD}/runs` },
  input: { path: buildPathSchema, query: querySchema },
  output: z.object({
    runs: z.array(runBriefSchema),
    unchanged_folded: z.int(),
    next_cursor: z.string().nullable(),
  }),
  errors: ["invalid_limit", "invalid_cursor"],
  async run({ query }, ctx) {
    const { workspaceId } = membershipOf(ctx);
    const dataset = query.dataset === undefined ? undefined : await locateBuilt({ dataset: query.dataset }, ctx);
    const { runs, unchangedFolded } = await list({
      workspaceId,
      datasetId: dataset?.id,
      states: query.state && [query.state],
      kind: query.kind,
      since: query.since === undefined ? undefined : new Date(query.since),
      unchanged: query.unchanged,
      limit: query.limit + 1,
      before: query.cursor === undefined ? undefined : readCursor(query.cursor),
    });
    const page = runs.slice(0, query.limit);
    const last = page.at(-1);
    return {
      runs: page.map((run) => briefOf(run, ctx.baseUrl)),
      unchanged_folded: unchangedFolded,
      next_cursor: last && runs.length > query.limit ? `${last.createdAt.getTime()}.${last.id}` : null,
    };
  },
  mcp: {},
});

function readCursor(cursor: string): { at: Date; id: string } {
  const [, time, id] = /^(\d{10,16})\.([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (time === undefined || id === undefined) throw fail("invalid_cursor");
  return { at: new Date(Number(time)), id };
}
