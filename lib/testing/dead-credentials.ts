import { createUseKey } from "@/lib/access/use-keys";
import { oauthHash } from "@/lib/oauth/token";
import { revokeConnection } from "@/lib/store/people/agent-connections";
import { database } from "@/lib/store/postgres/database";

const makeKey = () => createUseKey({ email: "tester@example.com", name: "test" }, new Date());

/** A valid use key. */
export const liveKey = async (): Promise<string> => (await makeKey()).key;

/** A key that was revoked, and one that has expired. */
export async function deadKeys(): Promise<{ revoked: string; expired: string }> {
  const { prisma } = await database();
  const [revoked, expired] = [await makeKey(), await makeKey()];
  await prisma.accessKey.update({ where: { id: revoked.id }, data: { revokedAt: new Date() } });
  await prisma.accessKey.update({ where: { id: expired.id }, data: { expiresAt: new Date(0) } });
  return { revoked: revoked.key, expired: expired.key };
}

/** Makes a token expire. */
export async function expireToken(access: string): Promise<void> {
  const { prisma } = await database();
  await prisma.oAuthToken.update({ where: { hash: oauthHash(access) }, data: { expiresAt: new Date(0) } });
}

/** Ends the connection with this id. */
export const endConnection = (id: string): Promise<boolean> => revokeConnection({ id }, { actor: "operator" });
