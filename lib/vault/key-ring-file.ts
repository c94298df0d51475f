import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchownSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { keepFromLogs } from "@/lib/secret-values";
import { textIfThere } from "@/lib/storage/text-if-there";
import type { KeyRing, SealingKey } from "./key-ring";

const fileSchema = z.object({
  format: z.literal("parquetry-secrets-keys.v1"),
  keys: z.tuple([keySchema()], keySchema()),
});

function keySchema() {
  return z.object({ name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), key: z.base64().length(44) });
}

/** The ring in a file; a missing one is made with one key, and of two processes at once the first wins. */
export function readRingFile(path: string, firstKey: () => SealingKey): KeyRing {
  const text = textIfThere(path);
  if (text !== undefined) return parseRing(path, text);
  mkdirSync(dirname(path), { recursive: true });
  const draft = writeDraft(path, [firstKey()]);
  try {
    linkSync(draft, path); // fails when another process was first: then its ring holds
    syncFolder(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return parseRing(path, readFileSync(path, "utf8"));
}

/** Replaces the file at once and durably: a crash leaves the old ring or the new one. */
export function writeRingFile(path: string, ring: KeyRing): void {
  renameSync(writeDraft(path, ring), path);
  syncFolder(path);
}

/** A finished file beside `path`, its bytes on the disk. */
function writeDraft(path: string, ring: KeyRing): string {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const keys = ring.map(({ name, key }) => ({ name, key: Buffer.from(key).toString("base64") }));
  const file = openSync(draft, "wx", 0o600);
  try {
    keepOwner(file, path);
    writeFileSync(file, `${JSON.stringify({ format: "parquetry-secrets-keys.v1", keys }, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return draft;
}

/** A rotation by root leaves the ring to the user that the service runs as. */
function keepOwner(file: number, path: string): void {
  const present = statSync(path, { throwIfNoEntry: false });
  if (present && present.uid !== process.getuid?.()) fchownSync(file, present.uid, present.gid);
}

function syncFolder(path: string): void {
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Its errors never quote the file. */
function parseRing(path: string, text: string): KeyRing {
  const file = fileSchema.safeParse(jsonOf(text));
  if (!file.success) throw new Error(`${path} is no key ring: restore it from a backup`);
  const [current, ...older] = file.data.keys.map(
    ({ name, key }): SealingKey => ({ name, key: Buffer.from(keepFromLogs(key), "base64") }),
  );
  if (!current) throw new Error(`${path} holds no key`);
  return [current, ...older];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
