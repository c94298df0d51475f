import { mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { z } from "zod";
import { textIfThere } from "@/lib/kernel/missing-file";
import { replaceFile } from "@/lib/kernel/whole-file";
import { CommandError } from "./command-error";

const fileSchema = z.object({
  version: z.literal(1),
  /** The default service of commands: the one last signed in to. */
  current: z.string().nullable(),
  services: z.record(z.string(), z.object({ credential: z.string(), expires_at: z.string() })),
});
type Kept = z.output<typeof fileSchema>;

/** Where credentials are stored, by the XDG base directories. */
export function credentialFile(): string {
  // biome-ignore lint/style/noProcessEnv: where a person's files lie is no setting of a service
  const home = process.env.XDG_CONFIG_HOME ?? "";
  return join(isAbsolute(home) ? home : join(homedir(), ".config"), "parquetry", "credentials.json");
}

/** The stored credentials; empty if there is no file yet. */
export function readCredentials(): Kept {
  const path = credentialFile();
  const text = textIfThere(path);
  if (text === undefined) return { version: 1, current: null, services: {} };
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    throw new CommandError(`Cannot read ${path}. Delete it and sign in again.`);
  }
}

/** Stores the credential of a service and makes it the default. */
export function keepCredential(service: string, credential: string, expiresAt: Date): void {
  const kept = readCredentials();
  write({
    ...kept,
    current: service,
    services: { ...kept.services, [service]: { credential, expires_at: expiresAt.toISOString() } },
  });
}

/** Deletes the stored credential of a service. */
export function forgetCredential(service: string): void {
  const kept = readCredentials();
  const services = Object.fromEntries(Object.entries(kept.services).filter(([name]) => name !== service));
  if (Object.keys(services).length === 0) rmSync(credentialFile(), { force: true });
  else
    write({ ...kept, current: kept.current === service ? (Object.keys(services)[0] ?? null) : kept.current, services });
}

/** Written atomically, and readable only by its owner from the first byte on. */
function write(kept: Kept): void {
  const path = credentialFile();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replaceFile(path, `${JSON.stringify(kept, null, 2)}\n`, 0o600);
}
