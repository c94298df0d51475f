import { fail } from "@/lib/kernel/errors";
import { type AuditLog, type Author, audited, type Transaction } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import type { Invitation, Role } from "@/prisma/generated/client";
import { lockWorkspace } from "./workspaces";

export type OpenInvitation = Pick<Invitation, "id" | "workspaceId" | "role" | "email" | "createdAt" | "expiresAt"> & {
  invitedBy: string | null;
};

export interface NewInvitation {
  workspaceId: string;
  role: Role;
  email: string | null;
  hash: Uint8Array<ArrayBuffer>;
  invitedById: string;
  expiresAt: Date;
}

/**
 * Fails with insufficient_scope (the inviter is no longer an owner) and conflict (`most` invitations are open, counted
 * at `now`).
 */
export async function createInvitation(
  invitation: NewInvitation,
  { most, now }: { most: number; now: Date },
  author: Author,
): Promise<{ id: string; createdAt: Date }> {
  return audited(author, async (transaction, audit) => {
    await checkRoom(transaction, invitation, most, now);
    const created = await transaction.invitation.create({ data: invitation, select: { id: true, createdAt: true } });
    const { workspaceId, role, email } = invitation;
    audit({ action: "member.invited", workspaceId, subject: created.id, details: { role, ...(email && { email }) } });
    return created;
  });
}

const OPEN = { acceptedAt: null, revokedAt: null } as const;

/** Waits for anyone else who is inviting or changing members. */
async function checkRoom(
  transaction: Transaction,
  { workspaceId, invitedById: userId }: NewInvitation,
  most: number,
  now: Date,
): Promise<void> {
  await lockWorkspace(transaction, workspaceId);
  const inviter = await transaction.membership.findUnique({
    where: { userId_workspaceId: { userId, workspaceId } },
    select: { role: true },
  });
  if (inviter?.role !== "owner")
    throw fail("insufficient_scope", { message: "Only an owner of the workspace can do this." });
  const open = await transaction.invitation.count({ where: { workspaceId, ...OPEN, expiresAt: { gt: now } } });
  if (open >= most) throw fail("conflict", { message: "Too many open invitations. Revoke some first." });
}

/**
 * Revokes the open invitations that a person created, in one workspace or in all, within a change that records the
 * reason.
 */
export async function revokeInvitationsOf(
  transaction: Transaction,
  audit: AuditLog,
  { userId, workspaceId }: { userId: string; workspaceId?: string },
  reason: string,
): Promise<void> {
  const revoked = await transaction.invitation.updateManyAndReturn({
    where: { invitedById: userId, ...(workspaceId && { workspaceId }), ...OPEN },
    data: { revokedAt: new Date() },
    select: { id: true, workspaceId: true },
  });
  for (const entry of revoked)
    audit({
      action: "member.invitation_revoked",
      workspaceId: entry.workspaceId,
      subject: entry.id,
      details: { reason },
    });
}

/** Invitations that can still be accepted, newest first. */
export async function listInvitations(workspaceId: string, now: Date): Promise<OpenInvitation[]> {
  const { prisma } = await database();
  const found = await prisma.invitation.findMany({
    where: { workspaceId, ...OPEN, expiresAt: { gt: now } },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    omit: { hash: true },
    include: { invitedBy: { select: { email: true } } },
  });
  return found.map(({ invitedBy, ...invitation }) => ({ ...invitation, invitedBy: invitedBy?.email ?? null }));
}

/** The invitation behind a link, without accepting it; undefined if it is unknown, used, revoked or expired. */
export async function findInvitation(
  hash: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<{ workspaceName: string; workspaceId: string; role: Role; invitedBy: string | null } | undefined> {
  const { prisma } = await database();
  const found = await prisma.invitation.findUnique({
    where: { hash, ...OPEN, expiresAt: { gt: now } },
    include: { workspace: { select: { name: true } }, invitedBy: { select: { email: true } } },
  });
  if (!found) return undefined;
  return {
    workspaceName: found.workspace.name,
    workspaceId: found.workspaceId,
    role: found.role,
    invitedBy: found.invitedBy?.email ?? null,
  };
}

/**
 * Makes the person a member with a single-use link. Returns the workspace's id, or undefined if the link is invalid.
 */
export async function acceptInvitation(
  hash: Uint8Array<ArrayBuffer>,
  userId: string,
  author: Author,
  now: Date,
): Promise<string | undefined> {
  return audited(author, async (transaction, audit) => {
    const [invitation] = await transaction.invitation.updateManyAndReturn({
      where: { hash, ...OPEN, expiresAt: { gt: now } },
      data: { acceptedAt: now },
      select: { id: true, workspaceId: true, role: true },
    });
    if (!invitation) return undefined;
    const { id, workspaceId, role } = invitation;
    const { count } = await transaction.membership.createMany({
      data: [{ workspaceId, userId, role }],
      skipDuplicates: true,
    });
    // a member who opens the link does not use it up for its intended recipient
    if (count === 0) await transaction.invitation.update({ where: { id }, data: { acceptedAt: null } });
    else audit({ action: "member.joined", workspaceId, subject: userId, details: { role, invitation: id } });
    return workspaceId;
  });
}

/** Revokes a link; false if the workspace has no open invitation with this id. */
export async function revokeInvitation(workspaceId: string, id: string, author: Author): Promise<boolean> {
  return audited(author, async (transaction, audit) => {
    const { count } = await transaction.invitation.updateMany({
      where: { id, workspaceId, ...OPEN },
      data: { revokedAt: new Date() },
    });
    if (count > 0) audit({ action: "member.invitation_revoked", workspaceId, subject: id });
    return count > 0;
  });
}
