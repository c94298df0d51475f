import { database } from "@/lib/store/postgres/database";

export interface ListedDevice {
  id: string;
  name: string | null;
  first4: string | null;
  last4: string | null;
  email: string;
  scopes: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date;
}

/** The devices signed in to the workspace, newest first; only those of one person if `userId` is given. */
export async function listDevices(workspaceId: string, now: Date, userId?: string): Promise<ListedDevice[]> {
  const { prisma } = await database();
  const tokens = await prisma.oAuthToken.findMany({
    where: {
      kind: "device",
      revokedAt: null,
      expiresAt: { gt: now },
      connection: { workspaceId, revokedAt: null, ...(userId && { userId }) },
    },
    orderBy: [{ issuedAt: "desc" }, { connectionId: "asc" }],
    select: {
      first4: true,
      last4: true,
      scopes: true,
      issuedAt: true,
      expiresAt: true,
      connection: { select: { id: true, deviceName: true, lastUsedAt: true, user: { select: { email: true } } } },
    },
  });
  return tokens.map(({ connection: { id, deviceName: name, lastUsedAt, user }, issuedAt: createdAt, ...token }) => ({
    id,
    name,
    lastUsedAt,
    email: user.email,
    createdAt,
    ...token,
  }));
}
