import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { env } from "@/lib/kernel/env";
import { createRingFile, type KeyRing, readRingFile, type SealingKey, writeRingFile } from "./key-ring-file";

import { keyRingPath } from "./paths";

/**
 * The ring from the setting or from the data folder. It is read again at each use, since another process may have
 * changed it. Throws with what to do if it cannot be read.
 */
export function keyRing(): KeyRing {
  const { PARQUETRY_SECRETS_KEYS } = env();
  return PARQUETRY_SECRETS_KEYS ? ringFromSetting(PARQUETRY_SECRETS_KEYS) : readRingFile(keyRingPath());
}

/** Whether there is a ring, in the setting or in the data folder. */
export const hasKeyRing = (): boolean => !isRingOurs() || existsSync(keyRingPath());

/** Creates the ring in the data folder with one key. If two processes do so at once, the first one wins. */
export const createKeyRing = (): void => createRingFile(keyRingPath(), newKey(new Date()));

/** Whether the ring is the data folder's, which we may change, rather than the one in the administrator's setting. */
export const isRingOurs = (): boolean => env().PARQUETRY_SECRETS_KEYS === undefined;

/** Prepends a new current key, which is on disk when this returns. Only one process may call this at a time. */
export function addCurrentKey(now: Date): KeyRing {
  const ring: KeyRing = [newKey(now), ...keyRing()];
  writeRingFile(keyRingPath(), ring);
  return ring;
}

/**
 * Removes every key except the current one and those named, and returns the removed names. Only one process may call
 * this at a time.
 */
export function dropKeysBut(names: ReadonlySet<string>): string[] {
  const [current, ...older] = keyRing();
  const dropped = older.filter(({ name }) => !names.has(name)).map(({ name }) => name);
  if (dropped.length > 0) writeRingFile(keyRingPath(), [current, ...older.filter(({ name }) => names.has(name))]);
  return dropped;
}

const newKey = (now: Date): SealingKey => ({
  name: `${now.toISOString().slice(0, 10)}-${randomBytes(4).toString("hex")}`,
  key: randomBytes(32),
});

/** Parses `name:base64, …`. The settings' schema has already checked the form. */
function ringFromSetting(setting: string): KeyRing {
  const keys = setting.split(",").map((part): SealingKey => {
    const [name = "", key = ""] = part.trim().split(":");
    return { name, key: Buffer.from(key, "base64") };
  });
  const [current, ...older] = keys;
  if (!current) throw new Error("PARQUETRY_SECRETS_KEYS contains no key");
  if (new Set(keys.map(({ name }) => name)).size < keys.length)
    throw new Error("PARQUETRY_SECRETS_KEYS: two keys have the same name");
  return [current, ...older];
}
