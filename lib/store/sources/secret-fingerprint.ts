import type pg from "pg";
import { env } from "@/lib/kernel/env";
import { secretPath } from "@/lib/storage/paths";
import { fingerprint, secretFingerprint, secretState } from "@/lib/storage/secret";

const READ = `SELECT value FROM "SecretFingerprint"`;
const RECORD = `INSERT INTO "SecretFingerprint" (value) VALUES ($1) ON CONFLICT (id) DO NOTHING`;

/** The database or a transaction of it. */
type Session = Pick<pg.Pool, "query">;

/** What is wrong with the server's secret: it is not the one that the database was used with. */
export type SecretFault = "secret_missing" | "secret_damaged" | "secret_changed";

const WHAT_NOW =
  "Put the old one back: the file from a backup or the instance that has it, or PARQUETRY_SECRET with its old value.";
const ACCEPT =
  "`parquetry doctor --accept-secret`. Every key, cursor, session and agent's connection made under the old one is " +
  "then invalid.";

/** What is wrong with the server's secret, if anything. Creates nothing and records nothing. */
export async function secretFault(session: Session): Promise<SecretFault | undefined> {
  const state = secretState();
  if (state === "damaged") return "secret_damaged";
  const recorded = await recordedFingerprint(session);
  if (recorded === undefined || recorded === secretFingerprint()) return undefined;
  return state === "missing" ? "secret_missing" : "secret_changed";
}

/**
 * Records the secret that a new database is used with, generated if there is none. Throws with what to do if this
 * database was used with another one: under it, every stored key, session and token would be unknown.
 */
export async function requireSameSecret(session: Session): Promise<void> {
  const before = await secretFault(session);
  if (before) throw new Error(describeSecretFault(before));
  await recordFirstSecret(session, fingerprint());
  const fault = await secretFault(session); // another process may have been first
  if (fault) throw new Error(describeSecretFault(fault));
}

/** Records the fingerprint of the secret that a database was used with, unless it has one. */
export async function recordFirstSecret(session: Session, value: string): Promise<void> {
  await session.query(RECORD, [value]);
}

async function recordedFingerprint(session: Session): Promise<string | undefined> {
  const { rows } = await session.query<{ value: string }>(READ);
  return rows[0]?.value;
}

/** What is wrong with the secret and what to do, for the administrator. */
export const describeSecretFault = (fault: SecretFault): string => MESSAGES[fault]();

const MESSAGES: Readonly<Record<SecretFault, () => string>> = {
  secret_damaged: () =>
    `The secret in ${secretPath()} is empty or damaged. ${WHAT_NOW} If it is lost, delete the file and run ${ACCEPT}`,
  secret_missing: () =>
    `The server's secret is missing: PARQUETRY_SECRET is not set and ${secretPath()} does not exist, but this ` +
    `database was used with one. ${WHAT_NOW} If it is lost, run ${ACCEPT}`,
  secret_changed: () =>
    `The server's secret (${env().PARQUETRY_SECRET === undefined ? secretPath() : "PARQUETRY_SECRET"}) is not the ` +
    `one that this database was used with. ${WHAT_NOW} If it was changed on purpose, run ${ACCEPT}`,
};
