import { type NewSecret, type Secret, type SecretValue, secretValueSchema } from "@/lib/schemas/secret";
import { keyRing } from "@/lib/storage/key-ring";
import type { Author } from "@/lib/store/audit";
import {
  deleteSecret,
  insertSecret,
  listSecrets,
  readSecret,
  replaceSecret,
  type SealedFor,
  type StoredSecret,
} from "@/lib/store/sources/secrets";
import { ensureKeyRing } from "./ensure-key-ring";
import { open, seal } from "./envelope";

const SERVICE: Author = { actor: "service" };

/** A workspace's credentials by name, without their values. */
export async function secretsOf(workspaceId: string): Promise<Secret[]> {
  return (await listSecrets(workspaceId)).map(shown);
}

/**
 * Stores a new credential. Fails with not_found (no such workspace) or conflict (the name is taken, or the workspace
 * has reached its maximum).
 */
export async function storeSecret(
  author: Author,
  workspaceId: string,
  { name, ...value }: NewSecret,
  now: Date,
): Promise<void> {
  await ensureKeyRing();
  return insertSecret(author, { workspaceId, name, kind: value.kind, field: fieldOf(value) }, sealing(value), now);
}

/** Replaces a credential's value with one of the same kind. Fails with not_found or conflict (a different kind). */
export async function storeSecretAnew(
  author: Author,
  workspaceId: string,
  name: string,
  value: SecretValue,
  now: Date,
): Promise<void> {
  await ensureKeyRing();
  return replaceSecret(author, { workspaceId, name, kind: value.kind, field: fieldOf(value) }, sealing(value), now);
}

/** Deletes a credential permanently. Fails with not_found. */
export const removeSecret = (author: Author, workspaceId: string, name: string): Promise<void> =>
  deleteSecret(author, workspaceId, name);

/**
 * The decrypted value of a credential, only for the caller's memory. Records its use by `usedBy` (a recipe). Fails with
 * not_found, or with integrity_failure if the row cannot be decrypted.
 */
export function openSecret(workspaceId: string, name: string, usedBy: string, now: Date): Promise<SecretValue> {
  return readSecret(
    SERVICE,
    workspaceId,
    name,
    usedBy,
    (row) => secretValueSchema.parse(JSON.parse(open(keyRing(), row))),
    now,
  );
}

const sealing = (value: SecretValue) => (row: SealedFor) => seal(keyRing(), row, JSON.stringify(value));

const fieldOf = (value: SecretValue) => ("field" in value ? value.field : null);

function shown(secret: StoredSecret): Secret {
  return {
    name: secret.name,
    kind: secret.kind,
    field: secret.field,
    hosts: secret.hosts,
    created_at: secret.createdAt.toISOString(),
    created_by: secret.createdByEmail,
    replaced_at: secret.replacedAt?.toISOString() ?? null,
    last_used_at: secret.lastUsedAt?.toISOString() ?? null,
    last_used_by: secret.lastUsedBy,
  };
}
