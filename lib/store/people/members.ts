import { type Author, audited, type Transaction } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import type { Role } from "@/prisma/generated/client";
import { revokeConnectionsOf } from "./agent-connections";
import { revokeInvitationsOf } from "./invitations";
import { revokeKeysOf } from "./keys";
import { lockWorkspace } from "./workspaces";

export interface Member {
  userId: string;
  email: string;
  name: string | null;
  role: Role;
  joinedAt: Date;
}

/** A workspace's members, owners first. */
export async function listMembers(workspaceId: string): Promise<Member[]> {
  const { prisma } = await database();
  const found = await prisma.membership.findMany({
    where: { workspaceId },
    orderBy: [{ role: "asc" }, { createdAt: "asc" }, { userId: "asc" }],
    include: { user: { select: { email: true, name: true } } },
  });
  return found.map(({ userId, role, createdAt, user }) => ({ userId, role, joinedAt: createdAt, ...user }));
}

/** Why a change of members was rejected. */
export type MemberRejection = "no_member" | "last_owner" | "personal";

/**
 * Changes a member's role. A workspace always has an owner, even if others change roles at the same moment. A former
 * owner's open invitations are revoked: a link must not grant what its creator no longer could.
 */
export async function setRole(
  workspaceId: string,
  userId: string,
  role: Role,
  author: Author,
): Promise<MemberRejection | undefined> {
  return audited(author, async (transaction, audit) => {
    const before = await lockMember(transaction, workspaceId, userId);
    if (!before) return "no_member";
    if (before.role === role) return undefined;
    if (before.role === "owner" && before.owners === 1) return "last_owner";
    await transaction.membership.update({ where: { userId_workspaceId: { userId, workspaceId } }, data: { role } });
    audit({ action: "member.role_changed", workspaceId, subject: userId, details: { from: before.role, to: role } });
    if (role !== "owner")
      await revokeInvitationsOf(transaction, audit, { userId, workspaceId }, "the creator is no longer an owner");
    return undefined;
  });
}

/**
 * Removes a member with effect from their next request. Their keys, agents, devices and invitations in the workspace
 * are also revoked.
 */
export async function removeMember(
  workspaceId: string,
  userId: string,
  author: Author,
): Promise<MemberRejection | undefined> {
  return audited(author, async (transaction, audit) => {
    const before = await lockMember(transaction, workspaceId, userId);
    if (!before) return "no_member";
    if (before.personal) return "personal";
    if (before.role === "owner" && before.owners === 1) return "last_owner";
    await transaction.membership.delete({ where: { userId_workspaceId: { userId, workspaceId } } });
    audit({ action: "member.removed", workspaceId, subject: userId });
    await revokeKeysOf(transaction, audit, { userId, workspaceId }, "member removed");
    await revokeConnectionsOf(transaction, audit, { userId, workspaceId }, "member removed");
    await revokeInvitationsOf(transaction, audit, { userId, workspaceId }, "member removed");
    return undefined;
  });
}

/** Adds a member; does nothing if they already are one. Returns whether they were added. */
export async function addMember(workspaceId: string, userId: string, role: Role, author: Author): Promise<boolean> {
  return audited(author, async (transaction, audit) => {
    const { count } = await transaction.membership.createMany({
      data: [{ workspaceId, userId, role }],
      skipDuplicates: true,
    });
    if (count > 0) audit({ action: "member.joined", workspaceId, subject: userId, details: { role } });
    return count > 0;
  });
}

/** The member's row, with the workspace locked against other changes of members until the transaction ends. */
async function lockMember(
  transaction: Transaction,
  workspaceId: string,
  userId: string,
): Promise<{ role: Role; owners: number; personal: boolean } | undefined> {
  const workspace = await lockWorkspace(transaction, workspaceId);
  if (!workspace) return undefined;
  const members = await transaction.membership.findMany({
    where: { workspaceId },
    select: { userId: true, role: true },
  });
  const member = members.find((entry) => entry.userId === userId);
  return (
    member && {
      role: member.role,
      owners: members.filter(({ role }) => role === "owner").length,
      personal: workspace.personal,
    }
  );
}
