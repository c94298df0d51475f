import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";

/**
 * Replaces a file durably: a crash leaves the old content or the new one. An existing file keeps its owner.
 * `mode` is the new file's from its first byte on; missing folders are created.
 */
export function replaceFile(path: string, content: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileAtomic.sync(path, content, { mode });
  syncFolder(dirname(path));
}

/** Creates a file atomically; false if another process was first, whose file is left as it is. */
export function createFile(path: string, content: string, mode: number): boolean {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, content, { mode, flag: "wx", flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft);
  }
  syncFolder(dirname(path));
  return true;
}

/** Makes the names in a folder durable. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
