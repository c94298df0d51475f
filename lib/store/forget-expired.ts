import { database } from "./postgres/database";

/** What has expired is kept for a day longer, so that whoever still uses it is told why it no longer works. */
const EXPIRED_RETENTION_MS = 86_400_000;
const COUNTED_MS = 2 * 86_400_000;
const HOST_IDLE_MS = 3_600_000;

/**
 * Deletes what people and programs signed in or were invited with once it has expired, old counts, and the turns of
 * hosts that nothing has been read from for an hour. It names email addresses, browsers, devices and keyed hashes of IP
 * addresses.
 */
export async function forgetExpired(now: Date): Promise<void> {
  const { prisma } = await database();
  const where = { expiresAt: { lt: new Date(now.getTime() - EXPIRED_RETENTION_MS) } };
  await prisma.session.deleteMany({ where });
  await prisma.oneTimeToken.deleteMany({ where });
  await prisma.deviceCode.deleteMany({ where });
  await prisma.oAuthCode.deleteMany({ where });
  await prisma.oAuthToken.deleteMany({ where });
  await prisma.invitation.deleteMany({ where });
  await prisma.counter.deleteMany({ where: { startAt: { lt: new Date(now.getTime() - COUNTED_MS) } } });
  await prisma.sourceHost.deleteMany({ where: { nextAt: { lt: new Date(now.getTime() - HOST_IDLE_MS) } } });
  await prisma.sourceRequest.deleteMany({ where: { leaseUntil: { lt: now } } });
}
