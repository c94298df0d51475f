import { z } from "zod";
import { keyEnds, keyHash, newKey } from "@/lib/auth/access-key";
import { failWith } from "@/lib/kernel/errors";
import { KEY_PERMISSIONS, type KeyPermission } from "@/lib/schemas/key-scope";
import { nameSchema } from "@/lib/schemas/name";
import { derivedKey } from "@/lib/storage/secret";
import { ADMINISTRATOR, type Author } from "@/lib/store/audit";
import { datasetsNamed, type Reader } from "@/lib/store/datasets/readable";
import type { KeyScope, StoredKey } from "@/lib/store/people/keys";
import { insertKey, type OneKey, replaceKey as replace, revokeKey } from "@/lib/store/people/keys";
import { ensurePerson } from "@/lib/store/people/people";

const DAY_MS = 86_400_000;

export const keyNameSchema = nameSchema.describe("A name for the key.");

/** Days, such as 90d, as milliseconds. */
export const expirySchema = z
  .string()
  .regex(/^[1-9][0-9]{0,3}d$/, "Use a number of days, such as 90d.")
  .transform((text) => Number.parseInt(text, 10) * DAY_MS)
  .optional()
  .describe("Days until the key expires, such as 90d. Default: never.");

export interface KeyRequest {
  kind: StoredKey["kind"];
  name: string;
  workspaceId: string;
  /** Null for a key of the workspace itself. */
  userId: string | null;
  expiresAt: Date | null;
  /** All if absent. */
  scope?: KeyScope | undefined;
  /** Maximum number of keys the person may have in the workspace; unlimited if absent. */
  most?: number;
}

export interface MadeKey {
  id: string;
  key: string;
  createdAt: Date;
}

/** Creates a key. Its text is returned only here and not stored. Fails as `insertKey` does. */
export async function createKey({ most, ...request }: KeyRequest, author: Author): Promise<MadeKey> {
  const key = newKey(request.kind);
  const made = await insertKey(
    { ...request, hash: keyHash(key, derivedKey("access-keys")), ...keyEnds(key) },
    author,
    most,
  );
  return { ...made, key };
}

/** Creates a successor, whose text is returned only here; undefined if no key matches. Fails as the store does. */
export async function replaceKey(
  { kind, ...which }: OneKey & Pick<StoredKey, "kind">,
  times: { now: Date; until: Date; most: number },
  author: Author,
): Promise<{ id: string; key: string; expiresAt: Date | null; oldExpiresAt: Date } | undefined> {
  const key = newKey(kind);
  const own = { hash: keyHash(key, derivedKey("access-keys")), ...keyEnds(key) };
  const made = await replace(which, { ...times, ...own }, author);
  return made && { ...made, key };
}

export interface UseKeyRequest {
  /** In lower case. */
  email: string;
  name: string;
  /** Milliseconds from now; never if absent. */
  expires?: number | undefined;
  scope?: ScopeRequest | undefined;
}

/** What a new key is limited to, as a request says it. */
export interface ScopeRequest {
  /** Slugs. */
  datasets?: readonly string[] | undefined;
  permissions?: readonly KeyPermission[] | undefined;
}

/**
 * The scope of a new key. Fails with invalid_value for a dataset that the workspace may not read. A dataset of its own
 * need not be published yet.
 */
export async function scopeOf({ datasets = [], permissions }: ScopeRequest, workspaceId: string): Promise<KeyScope> {
  const found = datasets.length === 0 ? [] : await datasetsNamed(datasets, workspaceId);
  const faults = datasets.flatMap((slug, at) =>
    found.some((each) => each.slug === slug)
      ? []
      : [{ pointer: `/datasets/${at}` as const, code: "invalid_value" as const, message: unknownDataset(slug) }],
  );
  if (faults.length > 0) throw failWith(faults);
  return { datasetIds: found.map(({ id }) => id), permissions: [...(permissions ?? KEY_PERMISSIONS)] };
}

/** Who reads with a key of this scope. */
export const readerWith = ({ datasetIds }: KeyScope, workspaceId: string): Reader => ({
  workspaceId,
  ...(datasetIds.length > 0 && { datasetIds }),
});

const unknownDataset = (slug: string): string =>
  `Unknown dataset: ${slug}. Use the slugs of public datasets or of the workspace’s own, as in their addresses.`;

/**
 * Creates a use key for a person by the administrator's command; account and personal workspace are created if missing.
 */
export async function createUseKey(
  { email, name, expires, scope = {} }: UseKeyRequest,
  now: Date,
): Promise<{ id: string; key: string; expires_at: string | null }> {
  const owner = await ensurePerson(email, ADMINISTRATOR);
  const expiresAt = expires === undefined ? null : new Date(now.getTime() + expires);
  const { id, key } = await createKey(
    { kind: "use", name, ...owner, expiresAt, scope: await scopeOf(scope, owner.workspaceId) },
    ADMINISTRATOR,
  );
  return { id, key, expires_at: expiresAt?.toISOString() ?? null };
}

/** Revokes a key with effect from its next request, by the administrator's command; false if no key has this id. */
export const revokeUseKey = (id: string): Promise<boolean> => revokeKey({ id }, ADMINISTRATOR);
