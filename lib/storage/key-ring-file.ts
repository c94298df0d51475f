import { basename } from "node:path";
import { z } from "zod";
import { fail } from "@/lib/kernel/errors";
import { textIfThere } from "@/lib/kernel/missing-file";
import { keepFromLogs } from "@/lib/kernel/secret-values";
import { createFile, replaceFile } from "@/lib/kernel/whole-file";
import { makeDataFolder } from "./data-folder";

/** A 256-bit key. Each row names the key that encrypted it. */
export interface SealingKey {
  name: string;
  key: Uint8Array;
}

/** The first key is current and encrypts; the others decrypt older rows. Never stored in the database. */
export type KeyRing = readonly [SealingKey, ...SealingKey[]];

const fileSchema = z.object({
  format: z.literal("parquetry-secrets-keys.v1"),
  keys: z.tuple([keySchema()], keySchema()),
});

function keySchema() {
  return z.object({ name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), key: z.base64().length(44) });
}

/** The key ring in a file. */
export function readRingFile(path: string): KeyRing {
  const text = textIfThere(path);
  if (text !== undefined) return parseRing(path, text);
  throw fail("integrity_failure", {
    message:
      `There is no ${basename(path)} in the data folder. Restore it from a backup, or set PARQUETRY_SECRETS_KEYS to ` +
      "the keys that the other instances use.",
  });
}

/** Creates the file with one key, unless there is one. */
export function createRingFile(path: string, key: SealingKey): void {
  makeDataFolder();
  createFile(path, ringText([key]), 0o600);
}

/**
 * Replaces the file durably: after a crash it holds the old ring or the new one, and after a rotation by root it still
 * belongs to the service's user.
 */
export const writeRingFile = (path: string, ring: KeyRing): void => replaceFile(path, ringText(ring), 0o600);

function ringText(ring: KeyRing): string {
  const keys = ring.map(({ name, key }) => ({ name, key: Buffer.from(key).toString("base64") }));
  return `${JSON.stringify({ format: "parquetry-secrets-keys.v1", keys }, null, 2)}\n`;
}

/** Error messages never quote the file. Whoever uses a source credential reads them. */
function parseRing(path: string, text: string): KeyRing {
  const file = fileSchema.safeParse(jsonOf(text));
  if (!file.success)
    throw fail("integrity_failure", {
      message: `${basename(path)} in the data folder is not a key ring. Restore it from a backup.`,
    });
  const [current, ...older] = file.data.keys.map(
    ({ name, key }): SealingKey => ({ name, key: Buffer.from(keepFromLogs(key), "base64") }),
  );
  if (!current) throw new Error(`${basename(path)} contains no key`);
  return [current, ...older];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
