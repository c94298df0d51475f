import type { Command } from "commander";
import { isUuid } from "@/lib/kernel/uuid";
import { listSecrets } from "@/lib/store/secrets";
import { rotateSecrets } from "@/lib/vault/rotate";
import { print, printRows } from "./output";

/** `secrets list`, `secrets rotate`. */
export function addSecretCommands(program: Command): void {
  const secrets = program.command("secrets").description("Manages source credentials. Values are never printed.");
  secrets
    .command("list")
    .description("Lists source credentials with name, kind, times and encryption key.")
    .option("--workspace <id>", "only this workspace's")
    .option("--json", "print JSON")
    .action(list);
  secrets
    .command("rotate")
    .description(
      "Re-encrypts every source credential with a new key (with PARQUETRY_SECRETS_KEYS, with its first key) and " +
        "deletes unused keys. Safe while the service runs; run it again if it was interrupted. Fails if a " +
        "credential cannot be decrypted.",
    )
    .option("--json", "print JSON")
    .action(rotate);
}

async function list({ workspace, json }: { workspace?: string; json?: boolean }): Promise<void> {
  if (workspace !== undefined && !isUuid(workspace)) throw new Error(`Unknown workspace: ${workspace}`);
  const rows = (await listSecrets(workspace)).map(row);
  if (rows.length === 0 && !json) process.stdout.write("no secrets\n");
  else printRows(rows, json);
}

function row(secret: Awaited<ReturnType<typeof listSecrets>>[number]) {
  return {
    workspace: secret.workspaceId,
    name: secret.name,
    kind: secret.kind,
    created_at: secret.createdAt.toISOString(),
    last_used_at: secret.lastUsedAt?.toISOString() ?? null,
    last_used_by: secret.lastUsedBy,
    sealed_with: secret.sealedWith,
  };
}

async function rotate({ json }: { json?: boolean }): Promise<void> {
  const { current, resealed, unused, unopened } = await rotateSecrets(new Date());
  const names = unopened.map(({ workspaceId, name }) => `${workspaceId}/${name}`);
  if (names.length > 0) process.exitCode = 1;
  if (json) print({ current, resealed, unused, unopened: names }, json);
  else print({ current, resealed, unused: unused.join(", ") || "none", unopened: names.join(", ") || "none" }, json);
}
