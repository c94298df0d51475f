import { type Author, audited } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import type { Person } from "./people";

/**
 * The person behind an account at an identity provider. Fails if another issuer named the subject, which may be anybody
 * else there.
 */
export async function findIdentity(
  provider: string,
  subject: string,
  issuer: string | undefined,
): Promise<Person | undefined> {
  const { prisma } = await database();
  const found = await prisma.identity.findUnique({
    where: { provider_subject: { provider, subject } },
    include: { user: { omit: { passwordHash: true } } },
  });
  if (found?.issuer && found.issuer !== issuer)
    throw new Error(`unexpected issuer: the account was linked at ${found.issuer}. Name the new one another provider`);
  return found?.user;
}

export async function linkIdentity(
  identity: { provider: string; subject: string; issuer: string | undefined; userId: string },
  author: Author,
): Promise<void> {
  await audited(author, async (transaction, audit) => {
    await transaction.identity.create({ data: { ...identity, issuer: identity.issuer ?? null } });
    audit({ action: "account.identity_linked", subject: identity.userId, details: { provider: identity.provider } });
  });
}

/** The names of the providers that a person can sign in with. */
export async function listIdentities(userId: string): Promise<string[]> {
  const { prisma } = await database();
  const found = await prisma.identity.findMany({
    where: { userId },
    orderBy: { provider: "asc" },
    select: { provider: true },
  });
  return found.map(({ provider }) => provider);
}
