import { fail } from "@/lib/kernel/errors";
import { type AuditLog, type Author, audited, type Transaction } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";

/** A person's consent to a program. */
export interface NewConnection {
  clientId: string;
  userId: string;
  workspaceId: string;
  scopes: string[];
  resource: string;
}

export interface NewCode {
  hash: Uint8Array<ArrayBuffer>;
  redirectUri: string;
  codeChallenge: string;
  expiresAt: Date;
}

/**
 * Stores a consent together with the code that the program exchanges for tokens. Fails with not_found if the person is
 * not a member of the workspace.
 */
export async function insertConnection(connection: NewConnection, code: NewCode, author: Author): Promise<string> {
  return audited(author, async (transaction, audit) => {
    const { userId, workspaceId, clientId, scopes } = connection;
    const membership = await transaction.membership.findUnique({
      where: { userId_workspaceId: { userId, workspaceId } },
      select: { userId: true },
    });
    if (!membership) throw fail("not_found");
    await transaction.oAuthCode.deleteMany({
      where: { expiresAt: { lt: new Date(code.expiresAt.getTime() - 86_400_000) } },
    });
    const { id, client } = await transaction.agentConnection.create({
      data: { ...connection, codes: { create: code } },
      select: { id: true, client: { select: { name: true } } },
    });
    audit({
      action: "agent.connected",
      workspaceId,
      subject: id,
      details: { client: clientId, client_name: client.name, scopes },
    });
    return id;
  });
}

export interface ListedConnection {
  id: string;
  clientId: string;
  clientName: string;
  clientUri: string | null;
  email: string;
  scopes: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** The agents connected to the workspace, newest first; only those of one person if `userId` is given. */
export async function listConnections(workspaceId: string, userId?: string): Promise<ListedConnection[]> {
  const { prisma } = await database();
  const rows = await prisma.agentConnection.findMany({
    where: {
      workspaceId,
      revokedAt: null,
      connectedAt: { not: null },
      client: { kind: { not: "builtin" } },
      ...(userId && { userId }),
    },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    select: {
      id: true,
      clientId: true,
      scopes: true,
      createdAt: true,
      lastUsedAt: true,
      client: { select: { name: true, uri: true } },
      user: { select: { email: true } },
    },
  });
  return rows.map(({ client, user, ...row }) => ({
    ...row,
    clientName: client.name,
    clientUri: client.uri,
    email: user.email,
  }));
}

/** Selects a connection: any, only an agent's, or only a device's. */
interface Which {
  id: string;
  workspaceId?: string;
  userId?: string;
  of?: "agent" | "device";
}

/**
 * Revokes a connection and all of its tokens; false if none matches. Revoking again keeps the first time and adds no
 * second audit entry.
 */
export async function revokeConnection({ of, ...which }: Which, author: Author, reason?: string): Promise<boolean> {
  const where = {
    ...which,
    ...(of && { client: { kind: of === "device" ? ("builtin" as const) : { not: "builtin" as const } } }),
  };
  return audited(author, async (transaction, audit) => {
    if (!(await transaction.agentConnection.findFirst({ where, select: { id: true } }))) return false;
    await endConnections(transaction, audit, which, reason);
    return true;
  });
}

/** Revokes a person's connections, in one workspace or in all, within a change that records the reason. */
export const revokeConnectionsOf = (
  transaction: Transaction,
  audit: AuditLog,
  whose: { userId: string; workspaceId?: string },
  reason: string,
): Promise<void> => endConnections(transaction, audit, whose, reason);

async function endConnections(
  transaction: Transaction,
  audit: AuditLog,
  which: { id?: string; workspaceId?: string; userId?: string },
  reason?: string,
) {
  const ended = await transaction.agentConnection.updateManyAndReturn({
    where: { ...which, revokedAt: null },
    data: { revokedAt: new Date() },
    select: { id: true, workspaceId: true, deviceName: true, client: { select: { kind: true, name: true } } },
  });
  for (const { id, workspaceId, deviceName, client } of ended) {
    const isDevice = client.kind === "builtin";
    const details = { ...(isDevice ? { name: deviceName } : { client_name: client.name }), ...(reason && { reason }) };
    audit({ action: isDevice ? "device.revoked" : "agent.revoked", workspaceId, subject: id, details });
  }
}

/** Records that a connection was used, at most once a minute. */
export async function touchConnection(id: string, now: Date): Promise<void> {
  const { pool } = await database();
  await pool.query(
    `UPDATE "AgentConnection" SET "lastUsedAt" = $2::timestamptz WHERE id = $1::uuid AND ("lastUsedAt" IS NULL ` +
      `OR "lastUsedAt" < $2::timestamptz - interval '1 minute')`,
    [id, now],
  );
}

/** The owner of a connection. */
export async function describeConnection(
  id: string,
): Promise<{ email: string; workspaceId: string; workspaceName: string; deviceName: string | null }> {
  const { prisma } = await database();
  const select = {
    workspaceId: true,
    deviceName: true,
    user: { select: { email: true } },
    workspace: { select: { name: true } },
  };
  const { user, workspace, ...row } = await prisma.agentConnection.findUniqueOrThrow({ where: { id }, select });
  return { ...row, email: user.email, workspaceName: workspace.name };
}
