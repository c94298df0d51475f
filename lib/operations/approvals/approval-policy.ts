import type { Context } from "@/lib/access/context";
import { takeOwnPassword } from "@/lib/access/quotas";
import { verifyPassword } from "@/lib/auth/password";
import { fail, failWith } from "@/lib/kernel/errors";
import { isSafeChange } from "@/lib/operations/recipes/revision-change";
import { resultOf } from "@/lib/operations/runs/present-run";
import type { AfterSeal, RunResult } from "@/lib/schemas/run";
import { lastPersonApproval } from "@/lib/store/approvals/approvals";
import { type BuiltDataset, stateOf } from "@/lib/store/datasets/built-datasets";
import { isShown } from "@/lib/store/datasets/dataset-states";
import { findPassword } from "@/lib/store/people/people";
import type { LiveSession } from "@/lib/store/people/sessions";
import { findApprovedRevision, findRevisionById } from "@/lib/store/recipes/revisions";
import { lastSealedRun, type StoredRun } from "@/lib/store/runs/runs";

const SESSION_MAX_MS = 12 * 3_600_000;
export const PERSON_WITHIN_MS = 90 * 86_400_000;

/** The facts that a dataset's approval policy depends on. */
export interface PolicyFacts {
  approvalPolicy: "person" | "agent_private";
  /** Whether others see it: public, or activated. */
  isShown: boolean;
  /** Whether the change is one that no person has to review. */
  isSafe: boolean;
  hasFailedErrors: boolean;
  /** When a person last approved the dataset. */
  lastApproval: Date | null;
}

/**
 * Why a person must approve a run; undefined if the dataset's policy lets an agent do it: the result remains private,
 * or a person approved the dataset recently and the change is safe.
 */
export function whyPersonFor(facts: PolicyFacts, now: Date): string | undefined {
  if (facts.approvalPolicy === "person") return "The dataset's policy requires a person to approve every new recipe.";
  if (facts.hasFailedErrors) return "Error checks of the sample failed. Only a person can accept that.";
  if (!facts.isShown) return undefined;
  if (!facts.isSafe) return "The dataset is published, and this revision changes more than titles and descriptions.";
  const { lastApproval: last } = facts;
  const isLate = last === null || now.getTime() - last.getTime() > PERSON_WITHIN_MS;
  return isLate ? "The dataset is published, and no person approved it within 90 days." : undefined;
}

/** Whether all tables of a dataset are on the hosted table API, to which new ones are then added automatically. */
export const isActive = ({ tables }: Pick<BuiltDataset, "tables">): boolean =>
  tables.length > 0 && tables.every(({ activation }) => activation !== null && activation.deactivatedAt === null);

/** Why a person must approve a run that already has a sample. */
export async function whyPerson(run: StoredRun, dataset: BuiltDataset, now: Date): Promise<string | undefined> {
  const facts = { approvalPolicy: dataset.build.approvalPolicy, hasFailedErrors: hasFailedErrors(resultOf(run)) };
  if (!isShown(stateOf(dataset)))
    return whyPersonFor({ ...facts, isShown: false, isSafe: false, lastApproval: null }, now);
  const lastApproval = await lastPersonApproval(run.datasetId);
  return whyPersonFor({ ...facts, isShown: true, isSafe: await isSafeRun(run), lastApproval }, now);
}

/**
 * Whether a run's recipe changes nothing that a person has to review, and its sample rejects no more than the last
 * release.
 */
async function isSafeRun(run: StoredRun): Promise<boolean> {
  const [approved, own, last] = await Promise.all([
    findApprovedRevision(run.datasetId),
    findRevisionById(run.revisionId),
    lastSealedRun(run.datasetId),
  ]);
  if (!approved || !own || !last) return false;
  if (approved.id === own.id) return false; // its approval has ended, or it would need no other one
  return isSafeChange(approved, own) && rejectedCells(resultOf(run)) <= rejectedCells(resultOf(last));
}

/** Cells that steps rejected, and values among the data that readers lost. */
export const rejectedCells = (result: RunResult | undefined): number =>
  (result?.rejects ?? []).reduce((sum, { cells }) => sum + cells, 0) +
  (result?.left_out ?? []).reduce((sum, { cells, loss }) => sum + (loss ? cells : 0), 0);

export const hasFailedErrors = (result: RunResult | undefined): boolean =>
  result?.checks.some(({ severity, outcome }) => severity === "error" && outcome === "failed") ?? false;

/** What an agent's approval may do on its own: nothing that others see. */
export const privatePart = ({ promote }: AfterSeal): AfterSeal => ({
  promote: promote === "none" ? "none" : "private",
  activate: false,
});

const isFresh = (session: LiveSession, now: Date): boolean =>
  now.getTime() - session.createdAt.getTime() <= SESSION_MAX_MS;

/** Whether the caller is a person who signed in within 12 hours and so needs no password. */
export const isFreshPerson = ({ actor, now }: Pick<Context, "actor" | "now">): boolean =>
  actor.kind === "person" && isFresh(actor.session, now());

/** Fails with key_wrong_type unless the caller is a person, with key_expired for an old session. */
export function requireFreshSession({ actor, now }: Pick<Context, "actor" | "now">): LiveSession {
  if (actor.kind !== "person")
    throw fail("key_wrong_type", { message: "Only a person signed in with a browser can decide this." });
  if (!isFresh(actor.session, now()))
    throw fail("key_expired", { message: "The session is older than 12 hours. Sign in again to decide this." });
  return actor.session;
}

/** The same, but accepts an old session with the person's password. A wrong password fails with invalid_value. */
export async function requireDecider(ctx: Context, password: string | undefined): Promise<LiveSession> {
  const { actor } = ctx;
  if (actor.kind !== "person" || password === undefined || isFreshPerson(ctx)) return requireFreshSession(ctx);
  const { session } = actor;
  await takeOwnPassword(session.userId, ctx); // a stolen session must not be used to guess the password
  const found = await findPassword(session.email);
  if (await verifyPassword(password, found?.passwordHash)) return session;
  throw failWith([{ pointer: "/password", code: "invalid_value", message: "The password is wrong." }]);
}
