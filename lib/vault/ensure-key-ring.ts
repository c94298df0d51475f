import { createKeyRing, hasKeyRing } from "@/lib/storage/key-ring";
import { withRotationLock } from "@/lib/store/datasets/sealed-rows";
import { database } from "@/lib/store/postgres/database";
import { requireSameRing } from "@/lib/store/sources/ring-fingerprint";

/**
 * Creates the ring of the first credential in the data folder, unless there is one, in the settings or there. Throws if
 * another instance already has one.
 */
export async function ensureKeyRing(): Promise<void> {
  if (hasKeyRing()) return;
  await withRotationLock(async () => {
    const { pool } = await database();
    await requireSameRing(pool);
    createKeyRing();
    await requireSameRing(pool);
  });
}
