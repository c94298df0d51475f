import { fail } from "@/lib/errors";
import { type Author, audited } from "./audit";
import { database } from "./database";

/** What a person has let a program do. */
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

/** Keeps a consent with the code that the program exchanges for tokens. Refuses with not_found when the person is no member of the workspace. */
export async function insertConnection(connection: NewConnection, code: NewCode, author: Author): Promise<string> {
  return audited(author, async (transaction, note) => {
    const { userId, workspaceId, clientId, scopes } = connection;
    const membership = await transaction.membership.findUnique({ where: { userId_workspaceId: { userId, workspaceId } }, select: { userId: true } });
    if (!membership) throw fail("not_found");
    await transaction.oAuthCode.deleteMany({ where: { expiresAt: { lt: new Date(code.expiresAt.getTime() - 86_400_000) } } });
    const { id, client } = await transaction.agentConnection.create({
      data: { ...connection, codes: { create: code } },
      select: { id: true, client: { select: { name: true } } },
    });
    note({ action: "agent.connected", workspaceId, subject: id, details: { client: clientId, client_name: client.name, scopes } });
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

/** The workspace's connections that hold, newest first; those of one person where `userId` names one. */
export async function listConnections(workspaceId: string, userId?: string): Promise<ListedConnection[]> {
  const { prisma } = await database();
  const rows = await prisma.agentConnection.findMany({
    where: { workspaceId, revokedAt: null, connectedAt: { not: null }, ...(userId && { userId }) },
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
  return rows.map(({ client, user, ...row }) => ({ ...row, clientName: client.name, clientUri: client.uri, email: user.email }));
}

/** Ends a connection and with it all of its tokens; false when none fits. Ending twice keeps the first time and is told of once. */
export async function revokeConnection(which: { id: string; workspaceId?: string; userId?: string }, author: Author, reason?: string): Promise<boolean> {
  return audited(author, async (transaction, note) => {
    const found = await transaction.agentConnection.findFirst({ where: which, select: { workspaceId: true } });
    if (!found) return false;
    const { count } = await transaction.agentConnection.updateMany({ where: { ...which, revokedAt: null }, data: { revokedAt: new Date() } });
    if (count > 0) note({ action: "agent.revoked", workspaceId: found.workspaceId, subject: which.id, details: reason ? { reason } : {} });
    return true;
  });
}

/** Notes that a connection was used, at most once a minute. */
export async function touchConnection(id: string, now: Date): Promise<void> {
  const { pool } = await database();
  await pool.query(
    `UPDATE "AgentConnection" SET "lastUsedAt" = $2::timestamptz WHERE id = $1::uuid AND ("lastUsedAt" IS NULL OR "lastUsedAt" < $2::timestamptz - interval '1 minute')`,
    [id, now],
  );
}
