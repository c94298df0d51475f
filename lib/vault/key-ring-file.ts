import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { fail } from "@/lib/kernel/errors";
import { textIfThere } from "@/lib/kernel/missing-file";
import { keepFromLogs } from "@/lib/kernel/secret-values";
import { createFile, replaceFile } from "@/lib/kernel/whole-file";
import { makeDataFolder } from "@/lib/storage/data-folder";
import type { KeyRing, SealingKey } from "./key-ring";

const fileSchema = z.object({
  format: z.literal("parquetry-secrets-keys.v1"),
  keys: z.tuple([keySchema()], keySchema()),
});

function keySchema() {
  return z.object({ name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), key: z.base64().length(44) });
}

/**
 * The key ring in a file. If the file is missing, it is created with one key. If two processes create it at once, the
 * first one wins.
 */
export function readRingFile(path: string, firstKey: () => SealingKey): KeyRing {
  const text = textIfThere(path);
  if (text !== undefined) return parseRing(path, text);
  makeDataFolder();
  createFile(path, ringText([firstKey()]), 0o600);
  return parseRing(path, readFileSync(path, "utf8"));
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
