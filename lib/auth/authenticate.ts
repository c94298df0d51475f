import { hash } from "node:crypto";
import { processCache } from "@/lib/kernel/cache";
import { fail } from "@/lib/kernel/errors";
import { inSpan } from "@/lib/kernel/telemetry";
import { hmacKey } from "@/lib/storage/secret";
import { findKey, type StoredKey, touchKey } from "@/lib/store/people/keys";
import { keyHash } from "./access-key";
import { type KeyKind, keyKindOf } from "./key-form";

/**
 * The key that was sent, if it is of an accepted kind and neither revoked nor expired. Otherwise fails with
 * key_missing, key_invalid, key_wrong_type, key_revoked or key_expired, always according to the database.
 * A valid key may come from memory if it was read under the generation `under`. The caller confirms that generation
 * before the key grants access to anything, so a revocation applies immediately.
 */
export async function authenticateKey(
  text: string | undefined,
  accepted: readonly KeyKind[],
  now: Date,
  under?: string,
): Promise<StoredKey> {
  if (!text) throw fail("key_missing");
  const kind = keyKindOf(text);
  if (!kind) throw fail("key_invalid");
  if (!accepted.includes(kind)) throw fail("key_wrong_type");
  const stored = rememberedHash(text);
  const key = await inSpan("key look-up", async () => {
    const known = await findKey(stored, under);
    return known && under !== undefined && isOver(known, now) ? await findKey(stored) : known;
  });
  if (!key) throw fail("key_invalid");
  if (key.revokedAt) throw fail("key_revoked");
  if (isOver(key, now)) throw fail("key_expired");
  touch(key, now);
  return key;
}

const HASHES_MAX = 20_000;

/** A key's stored form, computed once per process. The name it is remembered by does not reveal the key. */
function rememberedHash(key: string): Uint8Array<ArrayBuffer> {
  const remembered = processCache<Uint8Array<ArrayBuffer>>("key-hashes", { capacity: HASHES_MAX });
  const name = hash("sha256", key, "base64");
  return remembered.find(name) ?? remembered.store(name, keyHash(key, hmacKey("access-keys")));
}

const isOver = ({ expiresAt }: StoredKey, now: Date): boolean => expiresAt !== null && expiresAt <= now;

const TOUCH_MS = 60_000;

/** Records the use of a key, at most once a minute. A key in memory also remembers its last use in this process. */
function touch(key: StoredKey, now: Date): void {
  if (key.lastUsedAt && now.getTime() - key.lastUsedAt.getTime() <= TOUCH_MS) return;
  key.lastUsedAt = now;
  void touchKey(key.id, now).catch(() => {});
}
