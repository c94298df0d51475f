import { addCurrentKey, dropKeysBut, isRingOurs, keyRing } from "@/lib/storage/key-ring";
import type { KeyRing } from "@/lib/storage/key-ring-file";
import {
  resealBatch,
  SEALED_TABLE_NAMES,
  type SealedOwner,
  type SealedTable,
  whileNobodySeals,
  withRotationLock,
} from "@/lib/store/datasets/sealed-rows";
import { database } from "@/lib/store/postgres/database";
import { requireSameRing } from "@/lib/store/sources/ring-fingerprint";
import { ensureKeyRing } from "./ensure-key-ring";
import { open, seal } from "./envelope";

export interface Rotation {
  /** Name of the key that now encrypts every secret that could be decrypted. */
  current: string;
  resealed: number;
  /** Names of keys that no secret uses any more: removed, or left for the administrator to remove from the setting. */
  unused: string[];
  /** Secrets that cannot be decrypted: damaged, or encrypted with a key that is not in the ring. */
  unopened: SealedOwner[];
}

type Resealed = Pick<Rotation, "resealed" | "unopened">;

/**
 * Re-encrypts every secret with a new key, or with the first key of the administrator's setting, and removes unused
 * keys. If the last rotation was interrupted, completes it instead and creates no further key.
 */
export async function rotateSecrets(now: Date): Promise<Rotation> {
  await ensureKeyRing();
  return withRotationLock(async () => {
    const before = await resealAll(keyRing());
    if (!isRingOurs() || before.resealed > 0) return await finish(before);
    const ring = await whileNobodySeals(() => addCurrentKey(now));
    await requireSameRing((await database()).pool);
    return await finish(await resealAll(ring));
  });
}

async function resealAll(ring: KeyRing): Promise<Resealed> {
  const all: Resealed = { resealed: 0, unopened: [] };
  for (const table of SEALED_TABLE_NAMES) await resealTable(table, ring, all);
  return all;
}

async function resealTable(table: SealedTable, ring: KeyRing, all: Resealed): Promise<void> {
  let afterId: string | undefined = "00000000-0000-0000-0000-000000000000";
  while (afterId !== undefined) {
    const batch: Awaited<ReturnType<typeof resealBatch>> = await resealBatch(table, ring[0].name, afterId, (row) => {
      const text = textOrNone(ring, row);
      return text === undefined ? undefined : seal(ring, row, text);
    });
    all.resealed += batch.resealed;
    all.unopened.push(...batch.unopened);
    afterId = batch.lastId;
  }
}

function textOrNone(ring: KeyRing, row: Parameters<typeof open>[1]): string | undefined {
  try {
    return open(ring, row);
  } catch {
    return undefined;
  }
}

function finish({ resealed, unopened }: Resealed): Promise<Rotation> {
  return whileNobodySeals((inUse, note) => {
    const [current, ...older] = keyRing();
    const unused = isRingOurs() ? dropKeysBut(inUse) : older.map(({ name }) => name).filter((name) => !inUse.has(name));
    note({ action: "secret.rotated", subject: current.name, details: { resealed, unused, unopened: unopened.length } });
    return { current: current.name, resealed, unused, unopened };
  });
}
