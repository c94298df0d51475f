import { type Author, audited } from "@/lib/store/audit";

/**
 * Changes a person's address (lower case). Links sent to the old address stop working. A personal workspace named after
 * the old address is renamed. False if another account has the address.
 */
export async function changeAddress(
  userId: string,
  { email, verified }: { email: string; verified: boolean },
  author: Author,
): Promise<boolean> {
  return audited(author, async (transaction, audit) => {
    const [old] = await transaction.$queryRaw<{ email: string }[]>`
      SELECT email FROM "User" WHERE id = ${userId}::uuid FOR UPDATE`;
    const taken = await transaction.user.findUnique({ where: { email }, select: { id: true } });
    if (!old || taken) return false;
    await transaction.user.update({
      where: { id: userId },
      data: { email, emailVerified: verified ? new Date() : null },
    });
    await transaction.oneTimeToken.deleteMany({ where: { OR: [{ userId }, { email: old.email }] } });
    await transaction.workspace.updateMany({
      where: { personal: true, name: old.email, memberships: { some: { userId } } },
      data: { name: email },
    });
    audit({ action: "account.address_changed", subject: userId, details: { confirmed: verified } });
    return true;
  }).catch((error: unknown) => {
    if (isTaken(error)) return false;
    throw error;
  });
}

/** Another account took the address at the same moment: Prisma's code for a violated unique constraint. */
const isTaken = (error: unknown): boolean => (error as { code?: unknown }).code === "P2002";
