import type { Role } from "@/prisma/generated/client";
import { type Author, audited, type Transaction } from "./audit";
import { database } from "./database";

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

/** Why a change of members was not made. */
export type MemberRefusal = "no_member" | "last_owner" | "personal";

/** Gives a member another role. A workspace always has an owner, whoever else changes roles at the same moment. */
export async function setRole(workspaceId: string, userId: string, role: Role, author: Author): Promise<MemberRefusal | undefined> {
  return audited(author, async (transaction, note) => {
    const before = await lockMember(transaction, workspaceId, userId);
    if (!before) return "no_member";
    if (before.role === role) return undefined;
    if (before.role === "owner" && before.owners === 1) return "last_owner";
    await transaction.membership.update({ where: { userId_workspaceId: { userId, workspaceId } }, data: { role } });
    note({ action: "member.role_changed", workspaceId, subject: userId, details: { from: before.role, to: role } });
    return undefined;
  });
}

/** Makes a member nobody there, from their next request on: the keys that they made in the workspace are revoked with it. */
export async function removeMember(workspaceId: string, userId: string, author: Author): Promise<MemberRefusal | undefined> {
  return audited(author, async (transaction, note) => {
    const before = await lockMember(transaction, workspaceId, userId);
    if (!before) return "no_member";
    if (before.personal) return "personal";
    if (before.role === "owner" && before.owners === 1) return "last_owner";
    await transaction.membership.delete({ where: { userId_workspaceId: { userId, workspaceId } } });
    const keys = await transaction.accessKey.updateManyAndReturn({
      where: { userId, workspaceId, revokedAt: null },
      data: { revokedAt: new Date() },
      select: { id: true },
    });
    note({ action: "member.removed", workspaceId, subject: userId });
    for (const { id } of keys) note({ action: "key.revoked", workspaceId, subject: id, details: { reason: "member removed" } });
    return undefined;
  });
}

/** Adds a member, or changes nothing when they are one already; returns whether they were added. */
export async function addMember(workspaceId: string, userId: string, role: Role, author: Author): Promise<boolean> {
  return audited(author, async (transaction, note) => {
    const { count } = await transaction.membership.createMany({ data: [{ workspaceId, userId, role }], skipDuplicates: true });
    if (count > 0) note({ action: "member.joined", workspaceId, subject: userId, details: { role } });
    return count > 0;
  });
}

/** The member as they are, with the workspace locked against other changes of members until the transaction ends. */
async function lockMember(
  transaction: Transaction,
  workspaceId: string,
  userId: string,
): Promise<{ role: Role; owners: number; personal: boolean } | undefined> {
  const [workspace] = await transaction.$queryRaw<{ personal: boolean }[]>`SELECT personal FROM "Workspace" WHERE id = ${workspaceId}::uuid FOR UPDATE`;
  if (!workspace) return undefined;
  const members = await transaction.membership.findMany({ where: { workspaceId }, select: { userId: true, role: true } });
  const member = members.find((entry) => entry.userId === userId);
  return member && { role: member.role, owners: members.filter(({ role }) => role === "owner").length, personal: workspace.personal };
}
