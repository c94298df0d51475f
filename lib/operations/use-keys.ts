import { z } from "zod";
import { keyEnds, keyHash, newKey } from "@/lib/auth/access-key";
import { derivedKey } from "@/lib/storage/secret";
import { ensurePerson, insertKey, listKeys, revokeKey } from "@/lib/store/keys";

const DAY_MS = 86_400_000;

export const newUseKeySchema = z.strictObject({
  email: z.email().transform((text) => text.toLowerCase()),
  name: z.string().trim().min(1).max(100).default("use key"),
  expires: z
    .string()
    .regex(/^[1-9][0-9]{0,3}d$/, "Use a number of days, such as 90d.")
    .transform((text) => Number.parseInt(text, 10) * DAY_MS)
    .optional()
    .describe("Days until the key expires, such as 90d; never when absent."),
});

/** Makes a use key for a person, whose account and personal workspace are made when missing. The key is returned this once. */
export async function createUseKey(input: z.output<typeof newUseKeySchema>, now: Date): Promise<{ id: string; key: string; expires_at: string | null }> {
  const { userId, workspaceId } = await ensurePerson(input.email);
  const key = newKey("use");
  const expiresAt = input.expires === undefined ? null : new Date(now.getTime() + input.expires);
  const { id } = await insertKey({
    kind: "use",
    hash: keyHash(key, derivedKey("access-keys")),
    ...keyEnds(key),
    name: input.name,
    userId,
    workspaceId,
    expiresAt,
  });
  return { id, key, expires_at: expiresAt?.toISOString() ?? null };
}

/** What may be shown of keys again. */
export async function listUseKeys(email?: string) {
  const keys = await listKeys(email?.toLowerCase());
  return keys.map((key) => ({
    id: key.id,
    name: key.name,
    email: key.email,
    key: `svc_${key.kind}_${key.first4}…${key.last4}`,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  }));
}

/** Revokes a key from its next request on; false when no key has this id. */
export const revokeUseKey = (id: string, now: Date): Promise<boolean> => revokeKey(id, now);
