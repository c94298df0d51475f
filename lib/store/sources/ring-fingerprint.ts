import { hkdfSync } from "node:crypto";
import type pg from "pg";
import { hasKeyRing, isRingOurs, keyRing } from "@/lib/storage/key-ring";
import type { SealingKey } from "@/lib/storage/key-ring-file";
import { keyRingPath } from "@/lib/storage/paths";

const READ = `SELECT key.name, key.value, EXISTS (SELECT FROM "SourceCredential" WHERE "sealedWith" = key.name)
  OR EXISTS (SELECT FROM "Watch" WHERE "sealedWith" = key.name) AS "isUsed" FROM "SealingKeyFingerprint" key`;
const RECORD = `INSERT INTO "SealingKeyFingerprint" (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`;
const FORGET = `DELETE FROM "SealingKeyFingerprint"`;

/** The database or a transaction of it. */
type Session = Pick<pg.Pool, "query">;

/** What is wrong with the key ring: it is not the one that the database's source credentials are encrypted with. */
export type RingFault = "key_ring_missing" | "key_ring_changed";

/** What is wrong with the key ring, if anything. Creates nothing and records nothing. Throws if it cannot be read. */
export const ringFault = async (session: Session): Promise<RingFault | undefined> =>
  faultOf(ownFingerprints(), await recordedKeys(session));

/**
 * Records the keys of the ring, if there is one. Throws with what to do if this database was used with another ring:
 * with it, credentials could not be decrypted by one of the instances.
 */
export async function requireSameRing(pool: pg.Pool): Promise<void> {
  const own = ownFingerprints();
  const recorded = await recordedKeys(pool);
  requireNone(faultOf(own, recorded));
  const names = new Set(recorded.map(({ name }) => name));
  if (own && [...own.keys()].some((name) => !names.has(name))) await recordKeys(pool, own);
}

/** One instance at a time: of two that start on an empty database with different rings, one is refused. */
async function recordKeys(pool: pg.Pool, own: Fingerprints): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`BEGIN; LOCK TABLE "SealingKeyFingerprint" IN EXCLUSIVE MODE`);
    requireNone(faultOf(own, await recordedKeys(client)));
    for (const [name, value] of own) await client.query(RECORD, [name, value]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/** Uses the database with the present ring from now on. False if it is used with this one already. */
export async function acceptRing(pool: pg.Pool): Promise<boolean> {
  if ((await ringFault(pool)) === undefined) return false;
  await pool.query(FORGET);
  await requireSameRing(pool);
  return true;
}

function requireNone(fault: RingFault | undefined): void {
  if (fault) throw new Error(describeRingFault(fault));
}

/** By the names of keys. */
type Fingerprints = ReadonlyMap<string, string>;

const ownFingerprints = (): Fingerprints | undefined =>
  hasKeyRing() ? new Map(keyRing().map((key) => [key.name, fingerprintOf(key)])) : undefined;

interface RecordedKey {
  name: string;
  value: string;
  /** Whether a row is encrypted with it. */
  isUsed: boolean;
}

const recordedKeys = async (session: Session): Promise<RecordedKey[]> => (await session.query<RecordedKey>(READ)).rows;

/** A ring may lack keys that nothing uses any more, and have new ones, but has one that is known. */
function faultOf(own: Fingerprints | undefined, recorded: readonly RecordedKey[]): RingFault | undefined {
  if (recorded.length === 0) return undefined;
  if (!own) return "key_ring_missing";
  const isSame = ({ name, value, isUsed }: RecordedKey) => (own.has(name) ? own.get(name) === value : !isUsed);
  return recorded.every(isSame) && recorded.some(({ name }) => own.has(name)) ? undefined : "key_ring_changed";
}

/** Distinguishes the key from another one of its name, and reveals nothing else about it. */
const fingerprintOf = ({ key }: SealingKey): string =>
  Buffer.from(hkdfSync("sha256", key, "", "parquetry:key-fingerprint", 16)).toString("hex");

const WHAT_NOW =
  "Put the old one back (the file from a backup or the instance that has it), or set PARQUETRY_SECRETS_KEYS to the " +
  "keys that the other instances use.";
const ACCEPT =
  "`parquetry doctor --accept-secret`. Source credentials that were encrypted with the old keys must be stored again.";

/** What is wrong with the ring and what to do, for the administrator. */
export const describeRingFault = (fault: RingFault): string =>
  fault === "key_ring_missing"
    ? `The keys of source credentials are missing: PARQUETRY_SECRETS_KEYS is not set and ${keyRingPath()} does not ` +
      `exist, but this database was used with some. ${WHAT_NOW} If they are lost, run ${ACCEPT}`
    : `The keys of source credentials (${isRingOurs() ? keyRingPath() : "PARQUETRY_SECRETS_KEYS"}) are not those ` +
      `that this database was used with. ${WHAT_NOW} If they were changed on purpose, run ${ACCEPT}`;
