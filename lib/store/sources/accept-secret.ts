import { fingerprint } from "@/lib/storage/secret";
import { ADMINISTRATOR, audited } from "@/lib/store/audit";
import { database } from "@/lib/store/postgres/database";
import { acceptRing } from "./ring-fingerprint";
import { describeSecretFault, secretFault } from "./secret-fingerprint";

/**
 * Uses the database with the present secret and key ring from now on; a missing secret is generated. What was made
 * under another one becomes invalid. False if it is used with these already. Throws if a present one is damaged.
 */
export async function acceptSecret(): Promise<boolean> {
  const { pool } = await database();
  const fault = await secretFault(pool);
  if (fault === "secret_damaged") throw new Error(describeSecretFault(fault));
  const isNewRing = await acceptRing(pool);
  if (!fault && !isNewRing) return false;
  const value = fingerprint();
  await audited(ADMINISTRATOR, async (transaction, audit) => {
    await transaction.secretFingerprint.upsert({ where: { id: 1 }, create: { value }, update: { value } });
    audit({ action: "service.secret_accepted" });
  });
  return true;
}
