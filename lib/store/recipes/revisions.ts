import { fail } from "@/lib/kernel/errors";
import { type Author, audited, type Transaction } from "@/lib/store/audit";
import { lockDataset } from "@/lib/store/datasets/lock-dataset";
import { database } from "@/lib/store/postgres/database";
import type { Prisma, RecipeRevision, RevisionOrigin, RevisionState } from "@/prisma/generated/client";

export type StoredRevision = RecipeRevision;

export interface NewRevision {
  dataset: { id: string; slug: string; workspaceId: string };
  /** Canonical JSON text. */
  document: string;
  documentDigest: string;
  /** The part of the preceding revision's lock that still applies, as JSON. */
  lock?: string | undefined;
  basedOn?: number | undefined;
  /** From an approved revision with the same meaning: this one is approved with it. */
  approved?: { lock: string; recipeDigest: string; approvedAt: Date; approvedById: string | null } | undefined;
  origin: RevisionOrigin;
  note: string;
  actor: Prisma.InputJsonObject;
  now: Date;
}

export const REVISIONS_MAX = 500;

/**
 * Adds a revision, or returns the newest one if its document is equal. Fails with conflict if `basedOn` is not the
 * newest, or if there are too many.
 */
export function addRevision(input: NewRevision, author: Author): Promise<{ revision: RecipeRevision; isNew: boolean }> {
  const { dataset, document, documentDigest, lock = null, basedOn, approved, origin, note, actor, now } = input;
  return audited(author, async (transaction, audit) => {
    await lockDataset(transaction, dataset.id);
    const newest = await newestIn(transaction, dataset.id);
    if (basedOn !== undefined && basedOn !== newest?.number)
      throw fail("conflict", { message: `Revision ${newest?.number ?? 0} is the newest. Base the proposal on it.` });
    if (newest?.documentDigest === documentDigest) return { revision: newest, isNew: false };
    const number = (newest?.number ?? 0) + 1;
    if (number > REVISIONS_MAX)
      throw fail("conflict", { message: `Too many revisions (maximum ${REVISIONS_MAX} per dataset).` });
    const row = { document, documentDigest, lock, basedOn: basedOn ?? newest?.number ?? null, origin, note };
    const revision = await transaction.recipeRevision.create({
      data: {
        ...{ datasetId: dataset.id, number, ...row, actor, createdAt: now },
        ...(approved && { ...approved, state: "approved" as const }),
      },
    });
    if (approved) await supersedeOthers(transaction, revision);
    const details = { revision: number, document_digest: documentDigest };
    audit({ action: "recipe.registered", subject: dataset.slug, workspaceId: dataset.workspaceId, details });
    return { revision, isNew: true };
  });
}

const newestIn = (transaction: Transaction, datasetId: string): Promise<RecipeRevision | null> =>
  transaction.recipeRevision.findFirst({ where: { datasetId }, orderBy: { number: "desc" } });

/** A revision of a dataset; the newest one if no number is given. */
export async function findRevision(datasetId: string, number?: number): Promise<RecipeRevision | undefined> {
  const { prisma } = await database();
  const where = { datasetId, ...(number !== undefined && { number }) };
  return (await prisma.recipeRevision.findFirst({ where, orderBy: { number: "desc" } })) ?? undefined;
}

/** The newest revisions of a dataset, newest first. */
export async function newestRevisions(datasetId: string, most: number): Promise<RecipeRevision[]> {
  const { prisma } = await database();
  return prisma.recipeRevision.findMany({ where: { datasetId }, orderBy: { number: "desc" }, take: most });
}

/** The revision that was approved last; undefined if there is none. */
export async function findApprovedRevision(datasetId: string): Promise<RecipeRevision | undefined> {
  const { prisma } = await database();
  const where = { datasetId, state: "approved" as const };
  return (await prisma.recipeRevision.findFirst({ where, orderBy: { number: "desc" } })) ?? undefined;
}

/** Stores the lock and digest that a finished sample produced for its revision. */
export async function storeLock(
  transaction: Transaction,
  revisionId: string,
  { lock, recipeDigest }: { lock: string; recipeDigest: string },
): Promise<void> {
  await transaction.recipeRevision.updateMany({
    where: { id: revisionId, state: { in: ["draft", "sampled"] } },
    data: { lock, recipeDigest, state: "sampled" },
  });
}

/** Marks a revision as approved, and the one approved before it as superseded. */
export async function approveRevision(
  transaction: Transaction,
  { id, datasetId }: { id: string; datasetId: string },
  { at, userId }: { at: Date; userId: string | undefined },
): Promise<void> {
  await supersedeOthers(transaction, { id, datasetId });
  await transaction.recipeRevision.update({
    where: { id },
    data: { state: "approved", approvedAt: at, approvedById: userId ?? null },
  });
}

const supersedeOthers = (transaction: Transaction, { id, datasetId }: { id: string; datasetId: string }) =>
  transaction.recipeRevision.updateMany({
    where: { datasetId, state: "approved", id: { not: id } },
    data: { state: "superseded" },
  });

const APPROVED_LISTED = 20;

/** The newest revisions that were ever approved, newest first. */
export async function listApprovedRevisions(datasetId: string): Promise<RecipeRevision[]> {
  const { prisma } = await database();
  const where = { datasetId, state: { in: ["approved", "superseded"] as RevisionState[] }, approvedAt: { not: null } };
  return prisma.recipeRevision.findMany({ where, orderBy: { number: "desc" }, take: APPROVED_LISTED });
}

export async function findRevisionById(id: string): Promise<RecipeRevision | undefined> {
  const { prisma } = await database();
  return (await prisma.recipeRevision.findUnique({ where: { id } })) ?? undefined;
}

/** The revision that produced the newest of the dataset's current versions; undefined if none is current. */
export async function findShownRevision(datasetId: string): Promise<RecipeRevision | undefined> {
  const { prisma } = await database();
  const release = await prisma.release.findFirst({
    where: { table: { datasetId }, version: { currentOf: { isNot: null } } },
    orderBy: { sealedAt: "desc" },
    include: { revision: true },
  });
  return release?.revision;
}
