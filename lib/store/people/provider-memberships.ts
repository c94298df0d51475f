import { type AuditLog, type Author, audited, type Transaction } from "@/lib/store/audit";
import type { Role } from "@/prisma/generated/client";
import { changeRole, endMembership, lockMember } from "./members";
import { lockWorkspace } from "./workspaces";

/** What an identity provider's groups give a person in one workspace. */
export interface ProviderGrant {
  workspaceId: string;
  role: Role;
  /** The group that gives it. */
  group: string;
}

/** Why a membership that a provider's groups gave ends. */
export type GrantEnd = "group ended" | "groups claim absent" | "groups claim elsewhere";

interface ProviderGroups {
  userId: string;
  provider: string;
  grants: readonly ProviderGrant[];
  /** Why memberships end that no grant gives. */
  end: GrantEnd;
}

/**
 * Makes the memberships that the provider's groups gave a person equal to `grants`, at most one for each workspace.
 * Memberships given by hand or by another provider's groups are not changed, and a workspace keeps its last owner,
 * which is recorded. Returns the workspaces that cannot have members by groups: personal ones and those that do not
 * exist.
 */
export async function setProviderMemberships(groups: ProviderGroups, author: Author): Promise<string[]> {
  const { userId, provider, grants } = groups;
  return audited(author, async (transaction, audit) => {
    // sign-ins of one person follow each other
    await transaction.$queryRaw`SELECT id FROM "User" WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
    const former = await transaction.membership.findMany({
      where: { userId, provider },
      select: { workspaceId: true },
    });
    const workspaces = new Set([...grants, ...former].map(({ workspaceId }) => workspaceId));
    const unusable: string[] = [];
    // in one order, so that two people's sign-ins do not wait for each other
    for (const workspaceId of [...workspaces].sort()) {
      const grant = grants.find((each) => each.workspaceId === workspaceId);
      const workspace = await lockWorkspace(transaction, workspaceId);
      if (!workspace || workspace.personal) unusable.push(workspaceId);
      else await settle(transaction, audit, groups, { workspaceId, grant });
    }
    return unusable;
  });
}

async function settle(
  transaction: Transaction,
  audit: AuditLog,
  { userId, provider, end }: ProviderGroups,
  { workspaceId, grant }: { workspaceId: string; grant: ProviderGrant | undefined },
): Promise<void> {
  const whose = { userId, workspaceId };
  const given = { provider, ...(grant && { group: grant.group }) };
  const member = await lockMember(transaction, workspaceId, userId);
  if (!member) {
    if (!grant) return;
    await transaction.membership.create({ data: { ...whose, role: grant.role, provider } });
    audit({ action: "member.joined", workspaceId, subject: userId, details: { role: grant.role, ...given } });
    return;
  }
  if (member.provider !== provider || member.role === grant?.role) return;
  if (member.role === "owner" && member.owners === 1) {
    const reason = grant ? {} : { reason: end };
    audit({ action: "member.kept", workspaceId, subject: userId, details: { ...given, ...reason } });
  } else if (grant) {
    await changeRole(transaction, audit, { ...whose, from: member.role, to: grant.role, provider }, given);
  } else await endMembership(transaction, audit, whose, { provider, reason: end });
}
