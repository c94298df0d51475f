import { fail } from "@/lib/kernel/errors";
import { type Author, audited } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import type { DeviceCode } from "@/prisma/generated/client";

/** What a command line requests, and the hashes of the two codes it received. */
export type NewDeviceCode = Pick<
  DeviceCode,
  | "hash"
  | "userHash"
  | "clientId"
  | "scopes"
  | "resource"
  | "deviceName"
  | "fromBlock"
  | "createdAt"
  | "expiresAt"
  | "intervalSeconds"
>;

/** A waiting command line, as shown to its person. */
export type WaitingDevice = Pick<DeviceCode, "scopes" | "deviceName" | "fromBlock" | "createdAt" | "expiresAt">;

/** Grace period, so that a last-second approval can still be redeemed. */
const COLLECT_MS = 60_000;

/** Codes are deleted an hour after they expire. Until then, the command line learns why it gets nothing. */
const FORGOTTEN_MS = 3_600_000;

/** Stores the codes of a command line that begins to wait; deletes old ones. */
export async function insertDeviceCode(code: NewDeviceCode): Promise<void> {
  const { prisma } = await database();
  await prisma.deviceCode.deleteMany({
    where: { expiresAt: { lt: new Date(code.createdAt.getTime() - FORGOTTEN_MS) } },
  });
  await prisma.deviceCode.create({ data: code });
}

/** The command line waiting with this code; undefined once the code has expired or been answered. */
export async function findWaitingDevice(
  userHash: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<WaitingDevice | undefined> {
  const { prisma } = await database();
  const found = await prisma.deviceCode.findFirst({
    where: { userHash, answeredAt: null, expiresAt: { gt: now } },
    select: { scopes: true, deviceName: true, fromBlock: true, createdAt: true, expiresAt: true },
  });
  return found ?? undefined;
}

/** The person who answers, and the workspace. */
interface Answerer {
  userId: string;
  workspaceId: string;
}

/**
 * Allows a command line. Fails with not_found if none waits with this code any longer, or if the person is not a member
 * of the workspace.
 */
export async function allowDevice(
  userHash: Uint8Array<ArrayBuffer>,
  { userId, workspaceId }: Answerer,
  author: Author,
  now: Date,
): Promise<void> {
  await audited(author, async (transaction, audit) => {
    const membership = await transaction.membership.findUnique({
      where: { userId_workspaceId: { userId, workspaceId } },
      select: { userId: true },
    });
    if (!membership) throw fail("not_found");
    const [code] = await transaction.deviceCode.updateManyAndReturn({
      where: waiting(userHash, now),
      data: { answeredAt: now },
    });
    if (!code) throw fail("not_found");
    const { clientId, scopes, resource, deviceName } = code;
    const connection = { clientId, userId, workspaceId, scopes, resource, deviceName, createdAt: now };
    const { id } = await transaction.agentConnection.create({ data: connection, select: { id: true } });
    const expiresAt = new Date(Math.max(code.expiresAt.getTime(), now.getTime() + COLLECT_MS));
    await transaction.deviceCode.update({ where: { userHash }, data: { connectionId: id, expiresAt } });
    audit({ action: "device.allowed", workspaceId, subject: id, details: { name: deviceName, scopes } });
  });
}

/** Denies a command line. Fails with not_found if none waits with this code any longer. */
export async function rejectedevice(userHash: Uint8Array<ArrayBuffer>, author: Author, now: Date): Promise<void> {
  await audited(author, async (transaction, audit) => {
    const [code] = await transaction.deviceCode.updateManyAndReturn({
      where: waiting(userHash, now),
      data: { answeredAt: now },
    });
    if (!code) throw fail("not_found");
    audit({ action: "device.refused", details: { name: code.deviceName } });
  });
}

const waiting = (userHash: Uint8Array<ArrayBuffer>, now: Date) => ({
  userHash,
  answeredAt: null,
  expiresAt: { gt: now },
});

/**
 * The state of a device request. `tooSoon`: the client polled before its interval was over, and the interval was
 * increased.
 */
export interface PolledDevice
  extends Pick<DeviceCode, "scopes" | "resource" | "expiresAt" | "answeredAt" | "connectionId" | "usedAt"> {
  tooSoon: boolean;
}

const SLOWER_SECONDS = 5;

/** The row is locked before it is read, so the second of two simultaneous polls is too soon. */
const POLL = `WITH was AS (
    SELECT hash, "answeredAt" IS NULL AND "expiresAt" > $3 AND "polledAt" IS NOT NULL AND "polledAt" > $3::timestamptz
      - "intervalSeconds" * interval '1 second' AS soon
    FROM "DeviceCode" WHERE hash = $1 AND "clientId" = $2 FOR NO KEY UPDATE)
  UPDATE "DeviceCode" d SET "polledAt" = $3, "intervalSeconds" = d."intervalSeconds" + CASE WHEN was.soon THEN
    ${SLOWER_SECONDS} ELSE 0 END
  FROM was WHERE d.hash = was.hash
  RETURNING d.scopes, d.resource, d."expiresAt", d."answeredAt", d."connectionId", d."usedAt", was.soon AS "tooSoon"`;

/** Records a poll of a command line; undefined if the code is not the client's. */
export async function pollDevice(
  hash: Uint8Array<ArrayBuffer>,
  clientId: string,
  now: Date,
): Promise<PolledDevice | undefined> {
  const { pool } = await database();
  const { rows } = await pool.query<PolledDevice>(POLL, [hash, clientId, now]);
  return rows[0];
}

export interface NewCredential {
  hash: Uint8Array<ArrayBuffer>;
  first4: string;
  last4: string;
  expiresAt: Date;
}

/**
 * Gives an allowed command line its credential. Of several simultaneous polls, exactly one gets true. False also if it
 * was revoked in the meantime.
 */
export async function takeDevice(
  hash: Uint8Array<ArrayBuffer>,
  credential: NewCredential,
  now: Date,
): Promise<boolean> {
  const { prisma } = await database();
  return prisma.$transaction(async (transaction) => {
    const [code] = await transaction.deviceCode.updateManyAndReturn({
      where: { hash, usedAt: null, connectionId: { not: null }, connection: { revokedAt: null } },
      data: { usedAt: now },
    });
    if (!code?.connectionId) return false;
    const { connectionId, scopes } = code;
    await transaction.oAuthToken.create({
      data: { ...credential, kind: "device", connectionId, scopes, issuedAt: now },
    });
    await transaction.agentConnection.update({ where: { id: connectionId }, data: { connectedAt: now } });
    return true;
  });
}
