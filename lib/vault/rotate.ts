import {
  resealBatch,
  SEALED_TABLE_NAMES,
  type SealedOwner,
  type SealedTable,
  whileNobodySeals,
  withRotationLock,
} from "@/lib/store/datasets/sealed-rows";
import { open, seal } from "./envelope";
import { addCurrentKey, dropKeysBut, isRingOurs, type KeyRing, keyRing } from "./key-ring";

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
export function rotateSecrets(now: Date): Promise<Rotation> {
  return withRotationLock(async () => {
    const before = await resealAll(keyRing());
    if (!isRingOurs() || before.resealed > 0) return await finish(before);
    return await finish(await resealAll(await whileNobodySeals(() => addCurrentKey(now))));
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
