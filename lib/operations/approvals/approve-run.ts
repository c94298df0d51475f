import { z } from "zod";
import { userIdOf } from "@/lib/access/actor";
import { membershipOf } from "@/lib/access/authorize";
import type { Context } from "@/lib/access/context";
import { env } from "@/lib/kernel/env";
import { fail } from "@/lib/kernel/errors";
import { BUILD, locateRun, runPathSchema, waitSchema } from "@/lib/operations/datasets/build-path";
import { builderAuthor, builderOf, builderText } from "@/lib/operations/datasets/builder";
import { operation } from "@/lib/operations/operation";
import { promotionOf, sealedVersions } from "@/lib/operations/releases/promote-sealed";
import { releaseDifferences } from "@/lib/operations/releases/release-differences";
import { approvalOf, approvalUrl, briefOf, resultOf } from "@/lib/operations/runs/present-run";
import { isAtRest, waitForRun } from "@/lib/operations/runs/wait-for-run";
import { afterSealSchema, approvalSchema, runBriefSchema } from "@/lib/schemas/run";
import { tableDifferenceSchema } from "@/lib/schemas/table-difference";
import { approveRun, decidePublication, declineRun } from "@/lib/store/approvals/approvals";
import { findBuiltDataset } from "@/lib/store/datasets/built-datasets";
import { ownersOnly } from "@/lib/store/datasets/dataset-states";
import { findRun, type StoredRun } from "@/lib/store/runs/runs";
import { hasFailedErrors, isActive, privatePart, requireDecider, whyPerson } from "./approval-policy";
import { requestHumanApproval } from "./request-human-approval";

const digestSchema = z.string().max(100).describe("The sample's: shows that it was read.");
const AFTER = { promote: "none", activate: false } as const;

/** POST to approve a sample, or to request a person's approval. */
export const approveFullRun = operation({
  name: "approve_full_run",
  summary: "Approve a full run",
  description:
    "Approves the sample's recipe, so that the full run starts. If the dataset's policy requires a person, " +
    "approval is requested instead: show them approval_url. Anything that becomes public requires a person's " +
    "approval; until then the result is private.",
  access: "build",
  quota: "account",
  http: { method: "POST", path: `${BUILD}/runs/{run_id}/approve` },
  input: {
    path: runPathSchema,
    body: z.strictObject({
      recipe_digest: digestSchema,
      // biome-ignore lint/suspicious/noThenProperty: the word of the interface
      then: afterSealSchema.default(AFTER).describe("What happens once it is sealed."),
      message: z.string().max(500).optional().describe("For the person who decides."),
      wait_ms: waitSchema.default(0),
    }),
  },
  output: runBriefSchema.extend({
    approval: approvalSchema.optional(),
    differences: z.array(tableDifferenceSchema).optional().describe("Compared with the current release."),
  }),
  errors: ["conflict"],
  examples: { body: { recipe_digest: "sha256:…" } },
  locate: locateRun,
  async run({ located, body }, ctx) {
    const { recipe_digest: digest, message, wait_ms: waitMs } = body;
    const answered = await answerOrRequest(located, { digest, afterSeal: body.then, message }, ctx);
    const run = await waitForRun(answered, waitMs, isAtRest, ctx);
    const approval = approvalOf(run, ctx.baseUrl);
    const differences = await releaseDifferences(run, ctx);
    return {
      ...briefOf(run, ctx.baseUrl),
      ...(approval && { approval }),
      ...(differences.length > 0 && { differences }),
    };
  },
  mcp: {
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  },
});

interface Request {
  digest: string;
  afterSeal: z.output<typeof afterSealSchema>;
  message: string | undefined;
}

async function answerOrRequest(
  run: StoredRun,
  { digest, afterSeal, message }: Request,
  ctx: Context,
): Promise<StoredRun> {
  requireDigest(run, digest);
  if (run.state !== "awaiting_approval") return run; // what was approved remains approved
  const now = ctx.now();
  const dataset = await findBuiltDataset(membershipOf(ctx).workspaceId, run.datasetId);
  if (!dataset) throw fail("not_found");
  const isPerson = builderOf(ctx).kind === "person";
  const question = { run, askedBy: builderOf(ctx), message, path: approvalUrl(ctx.baseUrl, run), now };
  const expiresAt = new Date(now.getTime() + env().APPROVAL_DAYS * 86_400_000);
  if (isPerson || (await whyPerson(run, dataset, now)) !== undefined)
    await requestHumanApproval({ ...question, kind: "run", recipeDigest: digest, afterSeal, expiresAt }, ctx);
  else {
    const isPublic = run.dataset.visibility === "public";
    const after = isPublic ? { ...afterSeal, activate: false } : privatePart(afterSeal);
    await approve(run, digest, after, undefined, ctx);
    const publishes = afterSeal.promote === "public" && !isPublic;
    if (publishes || (afterSeal.activate && !isActive(dataset)))
      await requestHumanApproval(
        { ...question, kind: publishes ? "publish" : "activate", recipeDigest: digest, afterSeal, expiresAt },
        ctx,
      );
  }
  return reread(run, ctx);
}

function requireDigest(run: StoredRun, digest: string): void {
  const own = run.recipeDigest ?? resultOf(run)?.recipe_digest ?? null;
  if (own === null)
    throw fail("conflict", {
      message: `The run is ${run.state}: it has no sample to approve. Start it with confirm_run.`,
    });
  if (own !== digest)
    throw fail("conflict", {
      message: `The sample's recipe_digest is ${own}. Read the sample with get_run first.`,
    });
}

async function reread(run: StoredRun, ctx: Context): Promise<StoredRun> {
  return (await findRun(membershipOf(ctx).workspaceId, run.id)) ?? run;
}

const approve = (
  run: StoredRun,
  recipeDigest: string,
  afterSeal: Request["afterSeal"],
  sessionId: string | undefined,
  ctx: Context,
): Promise<boolean> =>
  approveRun(
    {
      run,
      recipeDigest,
      afterSeal,
      by: sessionId === undefined ? builderText(ctx) : "a member in the browser",
      decidedBy: builderOf(ctx),
      userId: userIdOf(ctx),
      sessionId,
      now: ctx.now(),
    },
    builderAuthor(ctx),
  );

/** POST a person's decision on a run, or on publishing what it sealed. */
export const decideRun = operation({
  name: "decide_run",
  summary: "Decide on a run",
  description:
    "Approves or declines a run that awaits approval, or the publication of its result. Only for people who signed " +
    "in within 12 hours; publishing and activating are for owners.",
  access: "build",
  quota: "account",
  http: { method: "POST", path: `${BUILD}/runs/{run_id}/decision` },
  input: {
    path: runPathSchema,
    body: z.strictObject({
      decision: z.enum(["approve", "decline"]),
      recipe_digest: digestSchema,
      // biome-ignore lint/suspicious/noThenProperty: the word of the interface
      then: afterSealSchema
        .optional()
        .describe("What happens once a run is sealed, nothing if absent. A request to publish is done as it was made."),
      accept_failed_checks: z.boolean().default(false),
      reason: z.string().max(500).default(""),
      password: z
        .string()
        .max(1024)
        .optional()
        .describe("The person's password; required if the session is older than 12 hours."),
    }),
  },
  output: runBriefSchema.extend({ approval: approvalSchema.optional() }),
  errors: ["conflict", "insufficient_scope", "invalid_value"],
  examples: { body: { decision: "approve", recipe_digest: "sha256:…" } },
  locate: locateRun,
  async run({ located, body }, ctx) {
    const session = await requireDecider(ctx, body.password);
    const publishes = body.then?.promote === "public" || body.then?.activate;
    if (body.decision === "approve" && publishes && membershipOf(ctx).role !== "owner") throw ownersOnly(PUBLISHING);
    requireDigest(located, body.recipe_digest);
    if (located.state === "awaiting_approval") await decideSample(located, body, session.id, ctx);
    else if (located.state === "sealed") await decideSealed(located, body, session.id, ctx);
    const run = await reread(located, ctx);
    const approval = approvalOf(run, ctx.baseUrl);
    return { ...briefOf(run, ctx.baseUrl), ...(approval && { approval }) };
  },
});

interface Decision {
  decision: "approve" | "decline";
  recipe_digest: string;
  then?: Request["afterSeal"] | undefined;
  accept_failed_checks: boolean;
  reason: string;
}

async function decideSample(run: StoredRun, decision: Decision, sessionId: string, ctx: Context): Promise<void> {
  if (decision.decision === "approve") {
    if (hasFailedErrors(resultOf(run)) && !decision.accept_failed_checks)
      throw fail("conflict", { message: "Error checks of the sample failed. Accept them explicitly, or decline." });
    await approve(run, decision.recipe_digest, decision.then ?? AFTER, sessionId, ctx);
    return;
  }
  const userId = userIdOf(ctx) ?? "";
  const decided = { reason: decision.reason, decidedBy: builderOf(ctx), userId, sessionId, now: ctx.now() };
  await declineRun(run, decided, builderAuthor(ctx));
}

async function decideSealed(run: StoredRun, decision: Decision, sessionId: string, ctx: Context): Promise<void> {
  const open = run.approvals.find(({ kind, state }) => kind !== "run" && state === "asked");
  if (!open) return;
  const approves = decision.decision === "approve";
  if (approves && membershipOf(ctx).role !== "owner") throw ownersOnly(PUBLISHING);
  const publishes = open.kind === "publish";
  if (approves && publishes && decision.then !== undefined && decision.then.promote !== "public")
    throw fail("conflict", { message: 'What was asked is to publish it. Send promote: "public", or decline.' });
  const activate = !publishes || decision.then?.activate === true;
  const publication = { publishes, activate, cause: { caller: "owner" as const } };
  const promotion = approves ? await promotionOf(run, await sealedVersions(run), publication, ctx) : undefined;
  const who = { decidedBy: builderOf(ctx), userId: userIdOf(ctx) ?? "", sessionId, now: ctx.now() };
  await decidePublication(run, open.kind, { promotion, reason: decision.reason, ...who }, builderAuthor(ctx));
}

const PUBLISHING = "publish or activate a dataset";
