import { fail } from "@/lib/kernel/errors";
import { type Author, audited, type Transaction } from "@/lib/store/audit";
import { database, lookUp } from "@/lib/store/postgres/database";
import type { Plan, Prisma, Role, Subscription, Workspace } from "@/prisma/generated/client";
import { pastDueSinceAfter } from "./subscription";

export interface Membership {
  workspaceId: string;
  userId: string;
  role: Role;
}

/**
 * A person's membership of a workspace; undefined if they have none, or the workspace does not exist. One round trip.
 */
export async function findMembership(userId: string, workspaceId: string): Promise<Membership | undefined> {
  const text =
    `SELECT "workspaceId", "userId", role::text AS role FROM "Membership" WHERE "userId" = $1::uuid AND ` +
    `"workspaceId" = $2::uuid`;
  const [membership] = await lookUp<Membership>("find-membership", text, [userId, workspaceId]);
  return membership;
}

/** A person's membership of the workspace that owns a private dataset, and its name; undefined if they have none. */
export async function findOwnerMembership(
  userId: string,
  slug: string,
): Promise<(Membership & { workspaceName: string }) | undefined> {
  const text =
    'SELECT m."workspaceId", m."userId", m.role::text AS role, w.name AS "workspaceName" FROM "Dataset" d ' +
    'JOIN "Membership" m ON m."workspaceId" = d."workspaceId" JOIN "Workspace" w ON w.id = m."workspaceId" ' +
    "WHERE d.slug = $1 AND d.visibility = 'private' AND m.\"userId\" = $2::uuid";
  const [membership] = await lookUp<Membership & { workspaceName: string }>("find-owner", text, [slug, userId]);
  return membership;
}

export async function findWorkspace(id: string): Promise<(Workspace & { members: number }) | undefined> {
  const { prisma } = await database();
  const found = await prisma.workspace.findUnique({
    where: { id },
    include: { _count: { select: { memberships: true } } },
  });
  if (!found) return undefined;
  const { _count, ...workspace } = found;
  return { ...workspace, members: _count.memberships };
}

/** Workspaces with their number of members, the personal one first; of one person, or all for the administrator. */
export async function listWorkspaces(userId?: string): Promise<(Workspace & { members: number; role: Role | null })[]> {
  const { prisma } = await database();
  const found = await prisma.workspace.findMany({
    where: userId ? { memberships: { some: { userId } } } : {},
    orderBy: [{ personal: "desc" }, { createdAt: "asc" }, { id: "asc" }],
    include: { _count: { select: { memberships: true } }, memberships: userId ? { where: { userId } } : { take: 0 } },
  });
  return found.map(({ _count, memberships, ...workspace }) => ({
    ...workspace,
    members: _count.memberships,
    role: memberships[0]?.role ?? null,
  }));
}

/**
 * Creates a workspace owned by `ownerId` and returns its id. Rejects with conflict if they are already in `most`
 * workspaces, however many they create at once.
 */
export async function createWorkspace(name: string, ownerId: string, author: Author, most?: number): Promise<string> {
  return audited(author, async (transaction, audit) => {
    if (most !== undefined) await checkRoom(transaction, ownerId, most);
    const { id } = await transaction.workspace.create({
      data: { name, memberships: { create: { userId: ownerId, role: "owner" } } },
      select: { id: true },
    });
    audit({ action: "workspace.created", workspaceId: id, subject: id, details: { name } });
    return id;
  });
}

/** The administrator's own workspace with a fixed id, on the paid plan and without members; created if absent. */
export async function ensureOwnWorkspace(id: string, name: string, author: Author): Promise<void> {
  await audited(author, async (transaction, audit) => {
    const { count } = await transaction.workspace.createMany({
      data: [{ id, name, plan: "paid" }],
      skipDuplicates: true,
    });
    if (count > 0) audit({ action: "workspace.created", workspaceId: id, subject: id, details: { name } });
  });
}

async function checkRoom(transaction: Transaction, userId: string, most: number): Promise<void> {
  await transaction.$queryRaw`SELECT id FROM "User" WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
  const used = await transaction.membership.count({ where: { userId } });
  if (used >= most) throw fail("conflict", { message: `Too many workspaces (maximum ${most} per person).` });
}

/**
 * Locks the workspace against changes of its members, keys or invitations until the transaction ends; undefined if
 * there is no such workspace.
 * Not `FOR UPDATE`: rows that only refer to the workspace, such as a new member's, need not wait, which could cause a
 * deadlock.
 */
export async function lockWorkspace(transaction: Transaction, id: string): Promise<{ personal: boolean } | undefined> {
  const [workspace] = await transaction.$queryRaw<
    { personal: boolean }[]
  >`SELECT personal FROM "Workspace" WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return workspace;
}

export async function renameWorkspace(id: string, name: string, author: Author): Promise<void> {
  await audited(author, async (transaction, audit) => {
    const before = await transaction.workspace.findUniqueOrThrow({ where: { id }, select: { name: true } });
    await transaction.workspace.update({ where: { id }, data: { name } });
    audit({ action: "workspace.renamed", workspaceId: id, subject: id, details: { from: before.name, to: name } });
  });
}

/**
 * What a workspace holds that must be settled before it can be deleted: its datasets, and a subscription that still
 * bills.
 */
export interface Unsettled {
  name: string;
  datasets: number;
  isBilled: boolean;
}

const UNSETTLED = {
  name: true,
  stripeSubscriptionId: true,
  subscription: true,
  _count: { select: { datasets: true } },
} satisfies Prisma.WorkspaceSelect;

const unsettled = ({
  name,
  stripeSubscriptionId,
  subscription,
  _count,
}: Prisma.WorkspaceGetPayload<{ select: typeof UNSETTLED }>): Unsettled => ({
  name,
  datasets: _count.datasets,
  isBilled: Boolean(stripeSubscriptionId) && subscription !== "canceled",
});

export async function unsettledIn(id: string): Promise<Unsettled> {
  const { prisma } = await database();
  return unsettled(await prisma.workspace.findUniqueOrThrow({ where: { id }, select: UNSETTLED }));
}

/**
 * Deletes a workspace with everything that belongs to it, permanently. If something is unsettled, nothing is deleted
 * and that is returned; undefined if the workspace is gone.
 */
export async function deleteWorkspace(id: string, author: Author): Promise<Unsettled | undefined> {
  return audited(author, async (transaction, audit) => {
    // a concurrent creation of a dataset in it waits, and then fails
    const found = await transaction.$queryRaw<unknown[]>`SELECT id FROM "Workspace" WHERE id = ${id}::uuid FOR UPDATE`;
    if (found.length === 0) return undefined;
    const left = unsettled(await transaction.workspace.findUniqueOrThrow({ where: { id }, select: UNSETTLED }));
    if (left.datasets > 0 || left.isBilled) return left;
    const members = await transaction.membership.count({ where: { workspaceId: id } });
    await transaction.workspace.delete({ where: { id } });
    audit({ action: "workspace.deleted", subject: id, details: { name: left.name, members } });
    return undefined;
  });
}

export interface PlanState {
  plan: Plan;
  subscription: Subscription | null;
}

/** Sets plan and subscription at `now`; false if there is no such workspace. */
export async function setPlan(id: string, to: PlanState, now: Date, author: Author): Promise<boolean> {
  return audited(author, async (transaction, audit) => {
    const before = await transaction.workspace.findUnique({
      where: { id },
      select: { plan: true, subscription: true, pastDueSince: true },
    });
    if (!before) return false;
    const pastDueSince = pastDueSinceAfter(before, to.subscription, now);
    await transaction.workspace.update({ where: { id }, data: { ...to, pastDueSince } });
    const { plan, subscription } = before;
    const details = { from: { plan, subscription }, to: { ...to } };
    audit({ action: "plan.changed", workspaceId: id, subject: id, details });
    return true;
  });
}
