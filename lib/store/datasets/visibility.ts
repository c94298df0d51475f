import { fail } from "@/lib/kernel/errors";
import { type AuditEntry, type AuditLog, type Author, audited, type Transaction } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { type DatasetState, decided, type EventBy, type Visibility, visibilityEvent } from "./dataset-states";

export interface ListedState {
  slug: string;
  title: string;
  visibility: Visibility;
  /** The owner; null for the administrator's own datasets. */
  workspaceId: string | null;
  workspaceName: string | null;
  tables: number;
  publishedAt: Date | null;
}

/** Every dataset, whoever may read it. For the administrator. */
export async function listDatasetStates(): Promise<ListedState[]> {
  const { prisma } = await database();
  const found = await prisma.dataset.findMany({
    orderBy: { slug: "asc" },
    select: {
      slug: true,
      title: true,
      visibility: true,
      workspaceId: true,
      publishedAt: true,
      workspace: true,
      _count: { select: { tables: true } },
    },
  });
  return found.map(({ workspace, _count, ...dataset }) => ({
    ...dataset,
    workspaceName: workspace?.name ?? null,
    tables: _count.tables,
  }));
}

/** Why a visibility change was rejected. */
export type VisibilityRejection = "no_dataset" | "no_workspace" | "no_owner";

export interface VisibilityMove {
  to: Visibility;
  /** The new owner; the present one if absent. */
  workspaceId?: string | undefined;
  by: EventBy;
}

export interface VisibilityChange {
  from: Visibility;
  to: Visibility;
  workspaceId: string | null;
}

/** The state of a dataset, which no other transaction changes until this one ends. */
export async function lockedState(transaction: Transaction, datasetId: string): Promise<DatasetState> {
  const [{ visibility } = { visibility: "withdrawn" as const }] = await transaction.$queryRaw<
    { visibility: Visibility }[]
  >`SELECT visibility::text AS visibility FROM "Dataset" WHERE id = ${datasetId}::uuid FOR NO KEY UPDATE`;
  const active = await transaction.activation.count({ where: { datasetId, deactivatedAt: null } });
  return { visibility, isActive: active > 0 };
}

/**
 * Fails with conflict unless exactly these versions are the current ones of a dataset that is now locked: what a person
 * decided is about the versions that they saw. Undefined: any.
 */
export async function requireCurrent(
  transaction: Transaction,
  datasetId: string,
  expected: readonly string[] | undefined,
): Promise<void> {
  if (!expected) return;
  const where = { datasetId, currentVersionId: { not: null } };
  const tables = await transaction.table.findMany({ where, select: { currentVersionId: true } });
  const now = new Set(tables.map(({ currentVersionId }) => currentVersionId));
  if (now.size !== new Set(expected).size || !expected.every((id) => now.has(id)))
    throw fail("conflict", {
      message: "Other versions are current than expected. Look at what is current now, then decide again.",
    });
}

/**
 * Sets who may read a dataset, from the next request on, and its owner if `workspaceId` is given. A private dataset has
 * an owner. The change is logged for every workspace concerned. Fails with conflict or insufficient_scope where
 * `TRANSITIONS` does not allow it.
 */
export const setVisibility = (
  slug: string,
  move: VisibilityMove,
  author: Author,
): Promise<VisibilityChange | VisibilityRejection> =>
  audited(author, (transaction, audit) => setVisibilityIn(transaction, audit, slug, move));

/** The same as part of a larger transaction. */
export async function setVisibilityIn(
  transaction: Transaction,
  audit: AuditLog,
  slug: string,
  { to, workspaceId, by }: VisibilityMove,
): Promise<VisibilityChange | VisibilityRejection> {
  await transaction.$queryRaw`SELECT id FROM "Dataset" WHERE slug = ${slug} FOR NO KEY UPDATE`;
  const before = await transaction.dataset.findUnique({
    where: { slug },
    select: { id: true, visibility: true, workspaceId: true, publishedAt: true },
  });
  if (!before) return "no_dataset";
  if (workspaceId && !(await transaction.workspace.findUnique({ where: { id: workspaceId }, select: { id: true } })))
    return "no_workspace";
  const owner = workspaceId ?? before.workspaceId;
  if (to === "private" && !owner) return "no_owner";
  const change = { from: before.visibility, to, workspaceId: owner };
  if (before.visibility === to && before.workspaceId === owner) return change;
  await requireAllowed(transaction, before, to, by);
  await transaction.dataset.update({ where: { slug }, data: { visibility: to, workspaceId: owner } });
  for (const entry of auditEntries(slug, change, before.workspaceId)) audit(entry);
  return change;
}

async function requireAllowed(
  transaction: Transaction,
  { id, visibility, publishedAt }: { id: string; visibility: Visibility; publishedAt: Date | null },
  to: Visibility,
  by: EventBy,
): Promise<void> {
  const event = visibilityEvent(visibility, to);
  if (event === undefined) return;
  decided(event, await lockedState(transaction, id), by, to);
  if (to === "public" && publishedAt === null)
    throw fail("conflict", {
      message: "Nothing of the dataset is current yet. Make a sealed version current first.",
    });
}

/** One entry for each workspace concerned, or one for the administrator only. */
function auditEntries(
  slug: string,
  { from, to, workspaceId }: VisibilityChange,
  formerOwner: string | null,
): AuditEntry[] {
  const details = { from, to, from_workspace: formerOwner, to_workspace: workspaceId };
  const concerned = [...new Set([formerOwner, workspaceId])].filter((id) => id !== null);
  const entry = { action: "dataset.visibility_changed", subject: slug, details } as const;
  return concerned.length > 0 ? concerned.map((id) => ({ ...entry, workspaceId: id })) : [entry];
}
