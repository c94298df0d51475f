import { z } from "zod";
import { membershipOf } from "@/lib/access/authorize";
import { impactOf } from "@/lib/builds/revision";
import { BUILD, locateRun, runPathSchema } from "@/lib/operations/datasets/build-path";
import { builderNameSchema, presentBuilders } from "@/lib/operations/datasets/present-builder";
import { operation } from "@/lib/operations/operation";
import { privateInputs, requireRevision, sourceFacts } from "@/lib/operations/recipes/recipe-facts";
import { checkStored, presentDifferences, presentImpact } from "@/lib/operations/recipes/revision-change";
import { releaseDifferences } from "@/lib/operations/releases/release-differences";
import { approvalOf, briefOf, lastApproval, resultOf } from "@/lib/operations/runs/present-run";
import { differenceSchema, impactSchema } from "@/lib/schemas/revision";
import { afterSealSchema, approvalSchema, estimateSchema, runBriefSchema, runResultSchema } from "@/lib/schemas/run";
import { tableDifferenceSchema } from "@/lib/schemas/table-difference";
import type { StoredActor } from "@/lib/store/datasets/builder-names";
import { findApprovedRevision, findRevisionById } from "@/lib/store/recipes/revisions";
import type { StoredRun } from "@/lib/store/runs/runs";
import { hasFailedErrors, isFreshPerson } from "./approval-policy";

export const approvalViewSchema = z.object({
  run: runBriefSchema,
  title: z.string(),
  visibility: z.enum(["public", "private", "withdrawn"]),
  recipe_digest: z
    .string()
    .nullable()
    .describe("The digest that a decision must include; null until the sample has ended."),
  decides: z
    .enum(["run", "publication", "activation"])
    .nullable()
    .describe("What is to be decided; null if nothing is."),
  asked: approvalSchema
    .extend({
      by: z.string(),
      who: builderNameSchema.nullable(),
      message: z.string().nullable(),
      after_seal: afterSealSchema,
    })
    .nullable(),
  sources: z.array(
    z.object({
      name: z.string(),
      title: z.string().nullable(),
      kind: z.string(),
      host: z.string().nullable(),
      reads: z.string(),
      credential: z.string().nullable(),
      license: z.string().nullable(),
    }),
  ),
  private_inputs: z.array(z.object({ source: z.string(), table: z.string() })),
  publish: z.object({ license: z.string(), publisher: z.string(), attribution: z.string().nullable() }),
  schedule: z.string().nullable().describe("An ISO 8601 duration; null if runs are only started manually."),
  tables: z.array(
    z.object({
      slug: z.string(),
      license: z.string(),
      primary_key: z.array(z.string()),
      columns: z.array(z.object({ name: z.string(), type: z.string().nullable() })),
    }),
  ),
  compared_with: z.int().nullable().describe("The revision approved before; null for the first."),
  impact: impactSchema.nullable(),
  differences: z.array(differenceSchema),
  release_differences: z
    .array(tableDifferenceSchema)
    .describe("How the run's result differs from the current version: rows added, removed and changed."),
  estimate: estimateSchema.optional(),
  result: runResultSchema.optional(),
  has_failed_checks: z.boolean(),
  may_publish: z.boolean().describe("Whether the caller is an owner."),
  asks_password: z.boolean().describe("Whether the session is older than 12 hours."),
});
export type ApprovalView = z.output<typeof approvalViewSchema>;

/** GET everything that a person must see to decide on a run. */
export const getApproval = operation({
  name: "get_approval",
  summary: "Get what an approval covers",
  description:
    "What a run reads, produces and publishes, its sample's results, and the changes since the last approved " +
    "revision. For people, on the approval page.",
  access: "build_read",
  quota: "account",
  http: { method: "GET", path: `${BUILD}/runs/{run_id}/approval` },
  input: { path: runPathSchema },
  output: approvalViewSchema,
  locate: locateRun,
  async run({ located: run }, ctx): Promise<ApprovalView> {
    const revision = requireRevision(await findRevisionById(run.revisionId));
    const checked = checkStored(revision);
    const before = await revisionBefore(run);
    const { license, publisher, attribution = null } = checked.recipe.publish;
    const result = resultOf(run);
    const { estimate } = run.plan as { estimate?: z.output<typeof estimateSchema> };
    return {
      run: briefOf(run, ctx.baseUrl),
      title: run.dataset.title,
      visibility: run.dataset.visibility,
      recipe_digest: run.recipeDigest ?? result?.recipe_digest ?? null,
      decides: decidesOf(run),
      asked: await requestedApproval(run, ctx.baseUrl),
      sources: sourceFacts(checked),
      private_inputs: await privateInputs(checked),
      publish: { license, publisher: publisher.name, attribution },
      schedule: checked.recipe.refresh?.every ?? null,
      tables: tablesOf(checked),
      compared_with: before?.number ?? null,
      ...changesOf(before && checkStored(before), checked),
      release_differences: await releaseDifferences(run, ctx),
      ...(estimate && { estimate }),
      ...(result && { result }),
      has_failed_checks: hasFailedErrors(result),
      may_publish: membershipOf(ctx).role === "owner",
      asks_password: !isFreshPerson(ctx),
    };
  },
});

/** The revision approved earlier; undefined if there is none, or if it is the run's own. */
async function revisionBefore({ datasetId, revisionId }: StoredRun) {
  const approved = await findApprovedRevision(datasetId);
  return approved?.id === revisionId ? undefined : approved;
}

function decidesOf(run: StoredRun): ApprovalView["decides"] {
  if (run.state === "awaiting_approval") return "run";
  const open = run.approvals.find(({ kind, state }) => kind !== "run" && state === "asked");
  if (run.state !== "sealed" || !open) return null;
  return open.kind === "activate" ? "activation" : "publication";
}

async function requestedApproval(run: StoredRun, base: string): Promise<ApprovalView["asked"]> {
  const brief = approvalOf(run, base);
  const row = lastApproval(run);
  if (!brief || !row) return null;
  const askedBy = row.askedBy as StoredActor;
  const [who] = await presentBuilders([askedBy]);
  const about = { by: askedBy.kind ?? "person", who: who ?? null, message: row.message };
  return { ...brief, ...about, after_seal: afterSealSchema.parse(row.afterSeal) };
}

type Checked = ReturnType<typeof checkStored>;

const tablesOf = ({ recipe, tables }: Checked): ApprovalView["tables"] =>
  tables.flatMap(({ name, slug, columns }) => {
    const own = recipe.tables.find((table) => table.name === name);
    if (slug === null || !own) return [];
    const license = own.license ?? recipe.publish.license;
    const named = columns.map(({ name: column, type }) => ({ name: column, type }));
    return [{ slug, license, primary_key: own.primary_key, columns: named }];
  });

function changesOf(before: Checked | undefined, after: Checked): Pick<ApprovalView, "impact" | "differences"> {
  if (!before) return { impact: null, differences: [] };
  return { impact: presentImpact(impactOf(before, after)), differences: presentDifferences(before, after) };
}
