import { type AuditLog, type Author, audited, type Transaction } from "@/lib/store/audit";
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
  /** The identity provider whose groups gave the membership; null if a person or the administrator did. */
  provider: string | null;
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
  return found.map(({ userId, role, provider, createdAt, user }) => ({
    ...{ userId, role, provider, joinedAt: createdAt },
    ...user,
  }));
}

/** Why a change of members was rejected. */
export type MemberRejection = "no_member" | "last_owner" | "personal" | "from_provider";

/**
 * Changes a member's role. A workspace always has an owner, even if others change roles at the same moment. A former
 * owner's open invitations are revoked: a link must not grant what its creator no longer could. A role that an identity
 * provider's groups gave is changed there; only the administrator makes it one that was given by hand.
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
    if (before.provider !== null && author.actor !== "operator") return "from_provider";
    if (before.role === role && before.provider === null) return undefined;
    if (before.role === "owner" && role !== "owner" && before.owners === 1) return "last_owner";
    await changeRole(transaction, audit, { workspaceId, userId, from: before.role, to: role, provider: null });
    return undefined;
  });
}

/** Gives a member a role within a change that has locked the workspace, and records it. */
export async function changeRole(
  transaction: Transaction,
  audit: AuditLog,
  change: { workspaceId: string; userId: string; from: Role; to: Role; provider: string | null },
  details: Record<string, string> = {},
): Promise<void> {
  const { workspaceId, userId, from, to, provider } = change;
  const where = { userId_workspaceId: { userId, workspaceId } };
  await transaction.membership.update({ where, data: { role: to, provider } });
  audit({ action: "member.role_changed", workspaceId, subject: userId, details: { from, to, ...details } });
  if (to !== "owner")
    await revokeInvitationsOf(transaction, audit, { userId, workspaceId }, "the creator is no longer an owner");
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
    await endMembership(transaction, audit, { userId, workspaceId });
    return undefined;
  });
}

/** Ends a membership, with all that the person created for themselves in the workspace, and records it. */
export async function endMembership(
  transaction: Transaction,
  audit: AuditLog,
  whose: { userId: string; workspaceId: string },
  details: Record<string, string> = {},
): Promise<void> {
  await transaction.membership.delete({ where: { userId_workspaceId: whose } });
  audit({ action: "member.removed", workspaceId: whose.workspaceId, subject: whose.userId, details });
  await revokeKeysOf(transaction, audit, whose, "member removed");
  await revokeConnectionsOf(transaction, audit, whose, "member removed");
  await revokeInvitationsOf(transaction, audit, whose, "member removed");
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
export async function lockMember(
  transaction: Transaction,
  workspaceId: string,
  userId: string,
): Promise<{ role: Role; provider: string | null; owners: number; personal: boolean } | undefined> {
  const workspace = await lockWorkspace(transaction, workspaceId);
  if (!workspace) return undefined;
  const members = await transaction.membership.findMany({
    where: { workspaceId },
    select: { userId: true, role: true, provider: true },
  });
  const member = members.find((entry) => entry.userId === userId);
  return (
    member && {
      role: member.role,
      provider: member.provider,
      owners: members.filter(({ role }) => role === "owner").length,
      personal: workspace.personal,
    }
  );
}
