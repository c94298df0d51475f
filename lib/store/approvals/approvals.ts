import { fail } from "@/lib/kernel/errors";
import type { AfterSeal } from "@/lib/schemas/run";
import { type AuditLog, type Author, audited, type Transaction } from "@/lib/store/audit";
import { lockDataset } from "@/lib/store/datasets/lock-dataset";
import { lockedState } from "@/lib/store/datasets/visibility";
import { database } from "@/lib/store/postgres/database";
import { approveRevision } from "@/lib/store/recipes/revisions";
import { PROMOTION_MS, type PromotionRequest, promoteIn } from "@/lib/store/releases/promotion";
import { enqueueRun } from "@/lib/store/runs/jobs";
import { addLateEvent, takeStep } from "@/lib/store/runs/run-transitions";
import type { StoredRun } from "@/lib/store/runs/runs";
import { type ApprovalKind, Prisma } from "@/prisma/generated/client";

export interface ApprovalQuestion {
  run: StoredRun;
  kind: ApprovalKind;
  recipeDigest: string;
  askedBy: Prisma.InputJsonObject;
  message?: string | undefined;
  afterSeal: AfterSeal;
  /** The page where a person decides. */
  path: string;
  expiresAt: Date;
  now: Date;
}

/** Members are not notified again about the same dataset within this time. */
const NOTIFIED_MS = 10 * 60_000;

/** What an earlier answer left. */
const UNDECIDED = { decidedAt: null, decidedBy: Prisma.DbNull, decidedById: null, sessionId: null, reason: null };

/**
 * Requests an approval, unless the same request is already open. `isNews`: none was requested for the dataset in the
 * last ten minutes, so members are notified.
 */
export async function requestApproval(question: ApprovalQuestion, author: Author): Promise<{ isNews: boolean }> {
  const { run, kind, recipeDigest, askedBy, message = null, afterSeal, path, expiresAt, now } = question;
  return audited(author, async (transaction, audit) => {
    // the dataset first, as whoever promotes the run locks it
    await lockDataset(transaction, run.datasetId);
    await transaction.$queryRaw`SELECT id FROM "Run" WHERE id = ${run.id}::uuid FOR NO KEY UPDATE`;
    const where = { runId_kind: { runId: run.id, kind } };
    const before = await transaction.approval.findUnique({ where });
    const stands = before?.state === "asked" && before.expiresAt > now;
    if (stands && before.recipeDigest === recipeDigest) return { isNews: false };
    const lately = { run: { datasetId: run.datasetId }, askedAt: { gt: new Date(now.getTime() - NOTIFIED_MS) } };
    const isNews = (await transaction.approval.count({ where: { ...lately, decidedById: null } })) === 0;
    const step = { runId: run.id, now, message: path, data: { kind } };
    const isRequested =
      kind !== "run" ||
      (await takeStep(transaction, "request_approval", { ...step, set: { expiresAt } })) !== undefined;
    if (!isRequested) return { isNews: false }; // somebody decided in the meantime
    const row = { recipeDigest, askedAt: now, askedBy, message, afterSeal, state: "asked" as const, expiresAt };
    await transaction.approval.upsert({
      where,
      create: { runId: run.id, kind, ...row },
      update: { ...row, ...UNDECIDED },
    });
    if (kind !== "run") await addLateEvent(transaction, { ...step, kind: "approval_asked" });
    const details = { dataset: run.dataset.slug, kind };
    audit({ action: "run.approval_asked", subject: run.id, workspaceId: run.workspaceId, details });
    return { isNews };
  });
}

export interface RunApproval {
  run: StoredRun;
  recipeDigest: string;
  afterSeal: AfterSeal;
  /** Who approved, in words. */
  by: string;
  decidedBy: Prisma.InputJsonObject;
  userId: string | undefined;
  sessionId?: string | undefined;
  now: Date;
}

/** Approves a run and queues it in full; false if it is no longer waiting for approval. */
export function approveRun(approval: RunApproval, author: Author): Promise<boolean> {
  const { run, recipeDigest, afterSeal, by, decidedBy, userId, sessionId = null, now } = approval;
  return audited(author, async (transaction, audit) => {
    const suffix = afterSeal.promote === "none" ? "" : `, with promote: ${afterSeal.promote}`;
    const set = { afterSeal, queuedAt: now, expiresAt: null, attempt: 0, recipeDigest };
    const step = { runId: run.id, now, message: `by ${by}${suffix}`, set };
    const queued = await takeStep(transaction, "approve", step);
    if (!queued) return false;
    const where = { runId_kind: { runId: run.id, kind: "run" as const } };
    const decided = { state: "approved" as const, decidedAt: now, decidedBy, decidedById: userId ?? null, sessionId };
    const requested = { recipeDigest, askedAt: now, askedBy: decidedBy, afterSeal, expiresAt: now };
    await transaction.approval.upsert({
      where,
      create: { runId: run.id, kind: "run", ...requested, ...decided },
      update: decided,
    });
    await approveRevision(transaction, { id: run.revisionId, datasetId: run.datasetId }, { at: now, userId });
    await enqueueRun(transaction, queued);
    const details = { dataset: run.dataset.slug, recipe_digest: recipeDigest };
    audit({ action: "run.approved", subject: run.id, workspaceId: run.workspaceId, details });
    return true;
  });
}

/** Declines a run, with a reason shown to its requester; false if it is no longer waiting. */
export function declineRun(
  run: StoredRun,
  { reason, decidedBy, userId, sessionId, now }: DeclinedBy,
  author: Author,
): Promise<boolean> {
  return audited(author, async (transaction, audit) => {
    const step = { runId: run.id, now, message: reason === "" ? "declined" : `declined: ${reason}` };
    if (!(await takeStep(transaction, "decline", step))) return false;
    await transaction.approval.updateMany({
      where: { runId: run.id, state: "asked" },
      data: { state: "declined", decidedAt: now, decidedBy, decidedById: userId, sessionId, reason },
    });
    await transaction.recipeRevision.update({ where: { id: run.revisionId }, data: { state: "rejected" } });
    const details = { dataset: run.dataset.slug, ...(reason !== "" && { reason }) };
    audit({ action: "run.declined", subject: run.id, workspaceId: run.workspaceId, details });
    return true;
  });
}

export interface DeclinedBy {
  reason: string;
  decidedBy: Prisma.InputJsonObject;
  userId: string;
  sessionId: string;
  now: Date;
}

/**
 * Decides a request to publish or activate what a run sealed, and with `promotion` does it: both or neither. Fails with
 * conflict if the request was decided or expired in the meantime, and as `promoteTables` does.
 */
export function decidePublication(
  run: Pick<StoredRun, "id" | "datasetId" | "workspaceId" | "dataset">,
  kind: ApprovalKind,
  { promotion, reason, decidedBy, userId, sessionId, now }: DeclinedBy & { promotion?: PromotionRequest | undefined },
  author: Author,
): Promise<void> {
  const change = async (transaction: Transaction, audit: AuditLog) => {
    await lockedState(transaction, run.datasetId); // before its other rows, as everybody does
    const { count } = await transaction.approval.updateMany({
      where: { runId: run.id, kind, state: "asked", expiresAt: { gt: now } },
      data: {
        ...{ state: promotion ? "approved" : "declined", decidedAt: now, decidedBy, decidedById: userId, sessionId },
        reason: reason === "" ? null : reason,
      },
    });
    if (count === 0)
      throw fail("conflict", { message: "This request was decided or expired in the meantime. Look at it again." });
    audit({
      action: promotion ? "run.approved" : "run.declined",
      ...{ subject: run.id, workspaceId: run.workspaceId },
      details: { dataset: run.dataset.slug, kind, ...(reason !== "" && { reason }) },
    });
    if (promotion) await promoteIn(transaction, audit, promotion);
  };
  return audited(author, change, { timeoutMs: PROMOTION_MS });
}

/** When a person last approved a run or a publication of the dataset; null if nobody did. */
export async function lastPersonApproval(datasetId: string): Promise<Date | null> {
  const { prisma } = await database();
  const last = await prisma.approval.findFirst({
    where: { run: { datasetId }, state: "approved", sessionId: { not: null } },
    orderBy: { decidedAt: "desc" },
  });
  return last?.decidedAt ?? null;
}

/** By a person in the browser, who must own the workspace to publish or activate, or by the administrator. */
const BY_PEOPLE = {
  state: "approved",
  OR: [{ sessionId: { not: null } }, { decidedBy: { path: ["kind"], equals: "operator" } }],
} satisfies Prisma.ApprovalWhereInput;

/** Whether a person or the administrator approved a run together with what happens once it is sealed. */
export async function isRunApprovedByPerson(runId: string): Promise<boolean> {
  const { prisma } = await database();
  return (await prisma.approval.count({ where: { runId, kind: "run", ...BY_PEOPLE } })) > 0;
}

/** Whether a person approved a run or a publication of exactly this recipe of the dataset. */
export async function isApprovedByPerson(datasetId: string, recipeDigest: string): Promise<boolean> {
  const { prisma } = await database();
  const where = { run: { datasetId }, recipeDigest, ...BY_PEOPLE };
  return (await prisma.approval.count({ where })) > 0;
}
