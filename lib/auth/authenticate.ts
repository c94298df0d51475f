import { fail } from "@/lib/kernel/errors";
import { derivedKey } from "@/lib/storage/secret";
import { findKey, type StoredKey, touchKey } from "@/lib/store/keys";
import { keyHash } from "./access-key";
import { type KeyKind, keyKindOf } from "./key-form";

/**
 * The key that was sent, if it is of an accepted kind and neither revoked nor expired.
 * Fails with key_missing, key_invalid, key_wrong_type, key_revoked or key_expired. Queries the database each time, so
 * that a revocation applies at once.
 */
export async function authenticateKey(
  text: string | undefined,
  accepted: readonly KeyKind[],
  now: Date,
): Promise<StoredKey> {
  if (!text) throw fail("key_missing");
  const kind = keyKindOf(text);
  if (!kind) throw fail("key_invalid");
  if (!accepted.includes(kind)) throw fail("key_wrong_type");
  const key = await findKey(keyHash(text, derivedKey("access-keys")));
  if (!key) throw fail("key_invalid");
  if (key.revokedAt) throw fail("key_revoked");
  if (key.expiresAt && key.expiresAt <= now) throw fail("key_expired");
  if (!key.lastUsedAt || now.getTime() - key.lastUsedAt.getTime() > 60_000) void touchKey(key.id, now).catch(() => {});
  return key;
}
