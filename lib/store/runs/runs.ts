import { fail } from "@/lib/kernel/errors";
import { isUuid } from "@/lib/kernel/uuid";
import type { AfterSeal } from "@/lib/schemas/run";
import { type AuditLog, type Author, audited, type Transaction } from "@/lib/store/audit";
import { lockDataset } from "@/lib/store/datasets/lock-dataset";
import { database } from "@/lib/store/postgres/database";
import type { Prisma, RunKind, RunState, RunTrigger } from "@/prisma/generated/client";
import { enqueueRun } from "./jobs";
import { addEvent, BUSY_STATES, FINAL_STATES, takeStep } from "./run-transitions";

const WITH_NAMES = {
  dataset: { select: { slug: true, title: true, visibility: true } },
  revision: { select: { number: true, state: true } },
  approvals: true,
  releases: { select: { versionId: true, table: { select: { slug: true, currentVersionId: true } } } },
} satisfies Prisma.RunInclude;

export type StoredRun = Prisma.RunGetPayload<{ include: typeof WITH_NAMES }>;

export interface NewRun {
  dataset: { id: string; slug: string; workspaceId: string };
  revision: { id: string; number: number };
  kind: RunKind;
  trigger: RunTrigger;
  /** `planned`, or `queued_full` for an approved recipe. */
  state: "planned" | "queued_full";
  plan: Prisma.InputJsonObject;
  recipeDigest?: string | undefined;
  basedOnRunId?: string | undefined;
  replayBytes?: "same" | "fresh" | undefined;
  afterSeal?: AfterSeal | undefined;
  createdBy: Prisma.InputJsonObject;
  message: string;
  expiresAt?: Date | undefined;
  now: Date;
}

/**
 * Plans a run, or queues it in full. Fails with conflict while another run of the dataset is in progress. A planned run
 * is superseded. So is one that awaits approval, unless the approval was requested; then conflict names that run.
 */
export function createRun(input: NewRun, author: Author): Promise<StoredRun> {
  return audited(author, (transaction, audit) => createRunIn(transaction, audit, input));
}

/** The same as part of a larger transaction. */
export async function createRunIn(transaction: Transaction, audit: AuditLog, input: NewRun): Promise<StoredRun> {
  await lockDataset(transaction, input.dataset.id);
  await makeRoom(transaction, input);
  const { id } = await insertRun(transaction, input);
  audit({
    action: "run.started",
    subject: id,
    workspaceId: input.dataset.workspaceId,
    details: { dataset: input.dataset.slug, revision: input.revision.number, kind: input.kind },
  });
  return transaction.run.findUniqueOrThrow({ where: { id }, include: WITH_NAMES });
}

async function makeRoom(transaction: Transaction, { dataset, state, now }: NewRun): Promise<void> {
  const open = await transaction.run.findMany({
    where: { datasetId: dataset.id, state: { in: ["planned", "awaiting_approval", ...BUSY_STATES] } },
    include: { approvals: { where: { kind: "run", state: "asked" } } },
  });
  for (const run of open) {
    if (BUSY_STATES.includes(run.state))
      throw fail("conflict", {
        message: `Run ${run.id} of this dataset is ${run.state}. Wait with get_run, or end it with cancel_run.`,
      });
    if (state !== "planned") continue; // an approved run does not depend on open requests
    if (run.approvals.length > 0)
      throw fail("conflict", {
        message:
          `Approval was requested for run ${run.id}. Wait for the decision, or withdraw the request with ` +
          "cancel_run.",
      });
    await takeStep(transaction, "supersede", { runId: run.id, now, message: "superseded by a newer run" });
  }
}

async function insertRun(transaction: Transaction, input: NewRun): Promise<{ id: string }> {
  const { dataset, revision, state, now, afterSeal, basedOnRunId = null, replayBytes = null } = input;
  const run = await transaction.run.create({
    data: {
      datasetId: dataset.id,
      workspaceId: dataset.workspaceId,
      revisionId: revision.id,
      kind: input.kind,
      trigger: input.trigger,
      state,
      plan: input.plan,
      progress: {},
      recipeDigest: input.recipeDigest ?? null,
      basedOnRunId,
      replayBytes,
      ...(afterSeal && { afterSeal }),
      queuedAt: state === "planned" ? null : now,
      expiresAt: input.expiresAt ?? null,
      createdBy: input.createdBy,
      createdAt: now,
    },
  });
  const kind = state === "planned" ? "planned" : "queued";
  await addEvent(transaction, { runId: run.id, now, kind, message: input.message });
  if (state !== "planned") await enqueueRun(transaction, run);
  return run;
}

/** A workspace's run; undefined for unknown and foreign ones alike. */
export async function findRun(workspaceId: string, runId: string): Promise<StoredRun | undefined> {
  if (!isUuid(runId)) return undefined;
  const { prisma } = await database();
  return (await prisma.run.findFirst({ where: { id: runId, workspaceId }, include: WITH_NAMES })) ?? undefined;
}

/** The newest run of a dataset that replays a version of an installed package and has not failed. */
export async function findInstalledRun(datasetId: string, version: string): Promise<StoredRun | undefined> {
  const { prisma } = await database();
  const found = await prisma.run.findFirst({
    where: {
      datasetId,
      state: { notIn: ["failed", "cancelled", "expired"] },
      plan: { path: ["installed", "version"], equals: version },
    },
    orderBy: { createdAt: "desc" },
    include: WITH_NAMES,
  });
  return found ?? undefined;
}

/** The newest run of a revision that has not ended, started by the same caller after `since`; undefined if none. */
export async function findRecentRun(
  revisionId: string,
  createdBy: object,
  since: Date,
): Promise<StoredRun | undefined> {
  const { prisma } = await database();
  const found = await prisma.run.findFirst({
    where: {
      ...{ revisionId, createdAt: { gte: since }, createdBy: { equals: createdBy } },
      state: { notIn: [...FINAL_STATES] },
    },
    orderBy: { createdAt: "desc" },
    include: WITH_NAMES,
  });
  return found ?? undefined;
}

export interface RunFilter {
  workspaceId: string;
  datasetId?: string | undefined;
  states?: readonly RunState[] | undefined;
  kind?: RunKind | undefined;
  since?: Date | undefined;
  /** If false, refreshes that found nothing new are left out. */
  unchanged: boolean;
  limit: number;
  before?: { at: Date; id: string } | undefined;
}

/** Runs, newest first, and how many unchanged refreshes were left out. */
export async function listRuns(filter: RunFilter): Promise<{ runs: StoredRun[]; unchangedFolded: number }> {
  const { prisma } = await database();
  const { workspaceId, datasetId, states, kind, since, before } = filter;
  const where: Prisma.RunWhereInput = {
    workspaceId,
    ...(datasetId && { datasetId }),
    ...(states && { state: { in: [...states] } }),
    ...(kind && { kind }),
    ...(since && { createdAt: { gte: since } }),
  };
  const folded: Prisma.RunWhereInput = { kind: "refresh", outcome: "unchanged" };
  const after: Prisma.RunWhereInput = before
    ? { OR: [{ createdAt: { lt: before.at } }, { createdAt: before.at, id: { lt: before.id } }] }
    : {};
  // not as NOT: that is unknown for a run without an outcome, which is to be listed
  const shown: Prisma.RunWhereInput = filter.unchanged
    ? {}
    : { OR: [{ kind: { not: "refresh" } }, { outcome: null }, { outcome: { not: "unchanged" } }] };
  const [runs, unchangedFolded] = await Promise.all([
    prisma.run.findMany({
      where: { AND: [where, shown, after] },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: filter.limit,
      include: WITH_NAMES,
    }),
    filter.unchanged ? 0 : prisma.run.count({ where: { AND: [where, folded] } }),
  ]);
  return { runs, unchangedFolded };
}

/** Events of a run after a sequence number, oldest first. */
export async function listRunEvents(runId: string, afterSeq: number, limit: number, kinds?: readonly string[]) {
  const { prisma } = await database();
  return prisma.runEvent.findMany({
    where: { runId, seq: { gt: afterSeq }, ...(kinds && kinds.length > 0 && { kind: { in: [...kinds] } }) },
    orderBy: { seq: "asc" },
    take: limit,
  });
}

/** Starts the sample of a planned run. Returns the run unchanged if it was already started. */
export async function confirmRun(run: StoredRun, by: string, now: Date): Promise<StoredRun> {
  const { prisma } = await database();
  return prisma.$transaction(async (transaction) => {
    const set = { queuedAt: now, expiresAt: null };
    const step = { runId: run.id, now, message: `by ${by}`, set };
    const confirmed = await takeStep(transaction, "confirm", step);
    if (confirmed) await enqueueRun(transaction, confirmed);
    return transaction.run.findUniqueOrThrow({ where: { id: run.id }, include: WITH_NAMES });
  });
}

/**
 * Cancels a run: immediately if no worker has it; otherwise its worker is asked to stop, within seconds. A run that has
 * ended is left unchanged.
 */
export async function cancelRun(run: StoredRun, by: Prisma.InputJsonObject, reason: string, now: Date, author: Author) {
  return audited(author, async (transaction, audit) => {
    const suffix = reason === "" ? "" : `: ${reason}`;
    const step = { runId: run.id, now, message: `cancelled${suffix}`, set: { cancelledBy: by } };
    const cancelled = await takeStep(transaction, "cancel", step);
    if (cancelled)
      await transaction.approval.updateMany({
        where: { runId: run.id, state: "asked" },
        data: { state: "withdrawn", decidedAt: now },
      });
    const requested = cancelled ?? (await requestCancel(transaction, run.id, by, suffix, now));
    if (requested)
      audit({
        action: "run.cancelled",
        subject: run.id,
        workspaceId: run.workspaceId,
        details: { dataset: run.dataset.slug, ...(reason !== "" && { reason }) },
      });
    return transaction.run.findUniqueOrThrow({ where: { id: run.id }, include: WITH_NAMES });
  });
}

async function requestCancel(
  transaction: Transaction,
  runId: string,
  by: Prisma.InputJsonObject,
  suffix: string,
  now: Date,
) {
  const { count } = await transaction.run.updateMany({
    where: { id: runId, state: { in: ["running", "running_full"] }, cancelRequestedAt: null },
    data: { cancelRequestedAt: now, cancelledBy: by },
  });
  if (count === 0) return undefined;
  return addEvent(transaction, { runId, now, kind: "cancel_requested", message: `asked to stop${suffix}` });
}

/** The run of a dataset that was the last to seal something new; undefined if there is none. */
export async function lastSealedRun(datasetId: string): Promise<StoredRun | undefined> {
  const { prisma } = await database();
  const where = { datasetId, state: "sealed" as const, outcome: "released" as const };
  return (await prisma.run.findFirst({ where, orderBy: { finishedAt: "desc" }, include: WITH_NAMES })) ?? undefined;
}

/** The plan and the result of the last run that a recipe sealed; undefined if there is none. */
export async function findLastInputs(
  datasetId: string,
  recipeDigest: string,
): Promise<{ plan: Prisma.JsonValue; sample: Prisma.JsonValue } | undefined> {
  const { prisma } = await database();
  const found = await prisma.run.findFirst({
    where: { datasetId, state: "sealed", kind: { not: "replay" } },
    orderBy: { finishedAt: "desc" },
    select: { plan: true, sample: true, recipeDigest: true },
  });
  return found?.recipeDigest === recipeDigest ? found : undefined;
}
