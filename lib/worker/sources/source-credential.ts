import type { SourceCredential } from "@/lib/sources/credential";
import { listSecrets } from "@/lib/store/sources/secrets";
import { openSecret } from "@/lib/vault/secrets";
import { RunFailure } from "@/lib/worker/runs/run-failure";

/**
 * A stored credential, decrypted for one request; `usedBy` is shown with it. Throws secret_missing or
 * secret_unreadable.
 */
export async function sourceCredential(
  name: string,
  { workspaceId, usedBy }: { workspaceId: string; usedBy: string },
): Promise<SourceCredential> {
  const stored = (await listSecrets(workspaceId)).find((secret) => secret.name === name);
  if (!stored) throw new RunFailure("secret_missing", `The workspace has no credential ${name}.`);
  try {
    const value = await openSecret(workspaceId, name, usedBy, new Date());
    return { name, value, hosts: stored.hosts };
  } catch {
    throw new RunFailure("secret_unreadable", `The credential ${name} cannot be decrypted. Store it again.`);
  }
}
