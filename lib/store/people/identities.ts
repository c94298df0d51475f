import { type Author, audited } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import type { Person } from "./people";

/** The person behind an account at an identity provider. */
export async function findIdentity(provider: string, subject: string): Promise<Person | undefined> {
  const { prisma } = await database();
  const found = await prisma.identity.findUnique({
    where: { provider_subject: { provider, subject } },
    include: { user: { omit: { passwordHash: true } } },
  });
  return found?.user;
}

export async function linkIdentity(
  identity: { provider: string; subject: string; userId: string },
  author: Author,
): Promise<void> {
  await audited(author, async (transaction, audit) => {
    await transaction.identity.create({ data: identity });
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
