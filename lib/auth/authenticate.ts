import { fail } from "@/lib/kernel/errors";
import { hmacKey } from "@/lib/storage/secret";
import { findKey, type StoredKey, touchKey } from "@/lib/store/keys";
import { keyHash } from "./access-key";
import { type KeyKind, keyKindOf } from "./key-form";

/**
 * The key that was sent, if it is of an accepted kind and neither revoked nor expired.
 * Fails with key_missing, key_invalid, key_wrong_type, key_revoked or key_expired, always by what the database says.
 * A key that works may be taken from memory, if it was read under the generation `under`: the caller confirms that one
 * before the key opens anything, so that a revocation applies at once.
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
  const hash = keyHash(text, hmacKey("access-keys"));
  const known = await findKey(hash, under);
  const key = known && under !== undefined && isOver(known, now) ? await findKey(hash) : known;
  if (!key) throw fail("key_invalid");
  if (key.revokedAt) throw fail("key_revoked");
  if (isOver(key, now)) throw fail("key_expired");
  touch(key, now);
  return key;
}

const isOver = ({ expiresAt }: StoredKey, now: Date): boolean => expiresAt !== null && expiresAt <= now;

const TOUCH_MS = 60_000;

/** Records the use of a key, at most once a minute: a key in memory knows of its last use here. */
function touch(key: StoredKey, now: Date): void {
  if (key.lastUsedAt && now.getTime() - key.lastUsedAt.getTime() <= TOUCH_MS) return;
  key.lastUsedAt = now;
  void touchKey(key.id, now).catch(() => {});
}
